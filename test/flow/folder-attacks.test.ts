// A program that may write in a mirrored folder, and nowhere else, tries to reach beyond it: it exchanges directories for links to
// somewhere else while the mirror writes and reads. Real disk, real thread, real second process.
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCode } from '../../server/disk/port/file-system.ts';
import type { FolderFile, FolderOperation } from '../../server/disk/port/folder.ts';
import { WorkerFolder } from '../../server/disk/worker/worker-folder.ts';
import { sha256Hex } from '../../server/platform/crypto/hashes.ts';
import { attackMethod, FolderAttacker } from '../support/folder-attacker.ts';
import { startMirrorHarness } from '../support/mirror-harness.ts';
import { scaled } from '../support/scale.ts';
import { tempFolder } from '../support/temp-folder.ts';

const attackMs = scaled(2_500, 60_000);
/** An attack that met too little to prove anything goes on until then. */
const attackMsMax = attackMs + 120_000;
const countMin = 20;
const filesMin = 100;
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const ours = 'written by the mirror';
const secret = 'of a file outside....';

/** Everything that a change could be seen by. */
function look(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const stat = statSync(path.join(directory, name), { bigint: true });
      const content = stat.isFile() ? readFileSync(path.join(directory, name), 'utf8') : 'directory';
      return `${name} ${stat.ino} ${stat.mtimeNs} ${stat.ctimeNs} ${content}`;
    });
}

interface Scene {
  readonly root: string;
  readonly outside: string;
  readonly folder: WorkerFolder;
}

async function scene(): Promise<Scene> {
  const base = tempFolder('mooring-attack');
  const [root, outside] = [path.join(base, 'root'), path.join(base, 'outside')];
  for (const directory of [`${root}/docs/sub`, `${outside}/sub`]) mkdirSync(directory, { recursive: true });
  for (const name of names) {
    writeFileSync(`${outside}/${name}`, secret);
    writeFileSync(`${outside}/sub/${name}`, secret);
  }
  symlinkSync(outside, `${root}/link`);
  const folder = new WorkerFolder({
    onHint: () => undefined,
    onWatchState: () => undefined,
    onFailure: (error) => {
      throw error;
    },
  });
  await folder.open({ root, known: [], fileBytesMax: 1024 * 1024 });
  return { root, outside, folder };
}

function fillDocs(root: string): void {
  for (const name of names) {
    writeFileSync(`${root}/docs/${name}`, ours);
    writeFileSync(`${root}/docs/sub/${name}`, ours);
  }
}

let temps = 0;
function put(name: string, expected: FolderFile | null, asidePath: string | null = null): FolderOperation {
  temps += 1;
  const bytes = new TextEncoder().encode(ours);
  const tempName = `.mooring-tmp-${temps}`;
  return { kind: 'put', path: name, tempName, bytes, hash: sha256Hex(bytes), expected, asidePath };
}

/** Writes, replacements, conflict copies, new directories and removals, all in the directory that is exchanged. */
class Writes {
  readonly #known = new Map<string, FolderFile>();
  readonly #folder: WorkerFolder;
  #round = 0;
  done = 0;
  refused = 0;

  constructor(folder: WorkerFolder) {
    this.#folder = folder;
  }

  async round(): Promise<void> {
    this.#round += 1;
    const paths = names.flatMap((name) => [`/docs/${name}`, `/docs/sub/${name}`]);
    const operations = paths.map((file, index): FolderOperation => {
      const expected = this.#known.get(file) ?? null;
      if (expected !== null && (index + this.#round) % 3 === 0)
        return { kind: 'remove', path: file, expected };
      const aside = expected !== null && (index + this.#round) % 3 === 1;
      return put(file, expected, aside ? `${file} (conflict ${this.#round})` : null);
    });
    operations.push(put(`/docs/new-${this.#round}/sub/file`, null));
    const outcomes = await this.#folder.apply(operations);
    for (const [index, outcome] of outcomes.entries()) {
      const file = operations[index]?.path ?? '';
      if (outcome.ok) this.done += 1;
      else this.refused += 1;
      this.#known.delete(file);
      if (outcome.ok && outcome.file !== null) this.#known.set(file, outcome.file);
    }
    // What was refused may stand there all the same.
    const { changes } = await this.#folder.scan('full');
    for (const { path: file, entry } of changes) {
      if (entry?.kind === 'file') this.#known.set(file, entry);
      else if (entry === null) this.#known.delete(file);
    }
    await this.#piece();
  }

  /** A large file comes in pieces. */
  async #piece(): Promise<void> {
    temps += 1;
    const at = { path: '/docs/large', tempName: `.mooring-tmp-${temps}`, expected: null };
    for (const position of [0, 4])
      await this.#folder.writePiece({ ...at, position, bytes: new TextEncoder().encode('part') });
    await this.#folder.dropPieces(at.path, at.tempName);
  }
}

/** For `attackedMs`, and longer until there was enough to attack. */
function* attackTurns(attackedMs: number, isEnough: () => boolean): Generator<void> {
  const begun = performance.now();
  for (let tookMs = 0; tookMs < attackedMs || (!isEnough() && tookMs < attackMsMax); ) {
    yield;
    tookMs = performance.now() - begun;
  }
}

/** One change after the other, and what of outside has changed by that. */
async function writeUnderAttack({ folder, outside }: Scene, attackedMs: number, least: number) {
  const writes = new Writes(folder);
  const escaped: string[] = [];
  let seen = look(outside);
  for (const _ of attackTurns(attackedMs, () => Math.min(writes.done, writes.refused) > least)) {
    await writes.round();
    const now = look(outside);
    escaped.push(...now.filter((entry) => !seen.includes(entry)));
    escaped.push(...seen.filter((entry) => !now.includes(entry)).map((entry) => `not any more: ${entry}`));
    seen = now;
  }
  return { escaped, writes };
}

/** false: the root was a link when it was looked at, or exchanged while the names were probed (EEXIST). */
async function isOpened(folder: WorkerFolder, root: string): Promise<boolean> {
  try {
    await folder.open({ root, known: [], fileBytesMax: 1024 * 1024 });
    return true;
  } catch (error) {
    if (['ENOTDIR', 'ENOENT', 'ESTALE', 'EEXIST'].includes(errorCode(error))) return false;
    throw error;
  }
}

/** Everything is found and read as for an upload; what of it came from outside. */
async function readUnderAttack({ root, folder }: Scene, attackedMs: number, least: number) {
  const leaked: string[] = [];
  let files = 0;
  for (const _ of attackTurns(attackedMs, () => files > least)) {
    if (!(await isOpened(folder, root))) continue;
    const { changes } = await folder.scan('full');
    for (const { path: file, entry } of changes) {
      if (entry?.kind !== 'file') continue;
      files += 1;
      if (entry.hash === sha256Hex(secret)) leaked.push(`hash of ${file}`);
      const whole = (await folder.read([{ path: file, expected: entry }]))[0];
      const piece = await folder.readPiece({ path: file, expected: entry, position: 0, bytesMax: 1024 });
      for (const read of [whole, piece])
        if (read?.ok === true && new TextDecoder().decode(read.bytes) === secret) leaked.push(file);
    }
  }
  return { leaked, files };
}

describe(`a writer of the folder that exchanges a directory by ${attackMethod()}`, () => {
  it('gets nothing created, changed or removed outside of it', async () => {
    const at = await scene();
    const attacker = await FolderAttacker.start(`${at.root}/docs`, `${at.root}/link`);
    const { escaped, writes } = await writeUnderAttack(at, attackMs, countMin);
    const exchanges = await attacker.stop();
    await at.folder.close();
    const counted = `${exchanges} exchanges, ${writes.done} changes done, ${writes.refused} refused`;
    expect(escaped, counted).toEqual([]);
    expect(exchanges, counted).toBeGreaterThan(50);
    expect(Math.min(writes.done, writes.refused), counted).toBeGreaterThan(countMin);
  });

  it('gets nothing of outside read', async () => {
    const at = await scene();
    fillDocs(at.root);
    const attacker = await FolderAttacker.start(`${at.root}/docs`, `${at.root}/link`);
    const { leaked, files } = await readUnderAttack(at, attackMs, filesMin);
    const exchanges = await attacker.stop();
    await at.folder.close();
    expect(leaked, `${exchanges} exchanges, ${files} files found`).toEqual([]);
    expect(exchanges).toBeGreaterThan(50);
    expect(files).toBeGreaterThan(filesMin);
  });

  it('gets neither by exchanging the root itself', async () => {
    const at = await scene();
    fillDocs(at.root);
    mkdirSync(`${at.outside}/docs/sub`, { recursive: true });
    for (const name of names) writeFileSync(`${at.outside}/docs/${name}`, secret);
    symlinkSync(at.outside, `${at.root}.link`);
    const attacker = await FolderAttacker.start(at.root, `${at.root}.link`);
    const { leaked } = await readUnderAttack(at, attackMs / 5, 0);
    await isOpened(at.folder, at.root);
    const { escaped } = await writeUnderAttack(at, attackMs / 5, 0);
    expect(await attacker.stop()).toBeGreaterThan(10);
    await at.folder.close();
    expect([...leaked, ...escaped]).toEqual([]);
  });

  it('gets neither from a mirror at work', async () => {
    const rig = await startMirrorHarness();
    const outside = path.join(rig.base, 'outside');
    mkdirSync(outside);
    for (const name of names) {
      rig.write(`docs/${name}`, ours);
      writeFileSync(path.join(outside, name), secret);
    }
    symlinkSync(outside, rig.at('link'));
    await rig.mirror();
    const before = look(outside);
    const attacker = await FolderAttacker.start(rig.at('docs'), rig.at('link'));
    for (const end = performance.now() + attackMs / 2; performance.now() < end; ) {
      for (const name of names) await rig.put(`/docs/${name}`, `${ours} ${performance.now()}`);
      // A hint for each: nobody else writes there.
      for (const name of names) rig.write(`other/${name}`, `${performance.now()}`);
      await rig.view();
    }
    expect(await attacker.stop()).toBeGreaterThan(10);
    const workspace = Object.values(await rig.workspace());
    await rig.stop();
    expect(look(outside)).toEqual(before);
    expect(workspace.filter((content) => content === secret)).toEqual([]);
  });
});
