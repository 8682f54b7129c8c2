// The main job on real input: an installed package tree is mirrored, exported, then changed from both sides at once, and ends
// byte-identical on both.
import { cpSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { MooringClient } from '../../sdk/index.ts';
import { type AgentProcess, mooring, startAgent } from '../support/agent-process.ts';
import { ownerClient } from '../support/client-of.ts';
import { runOnce } from '../support/run-once.ts';
import { scaled } from '../support/scale.ts';
import { tempFolder } from '../support/temp-folder.ts';
import {
  differences,
  hashFolder,
  hashTar,
  putFile,
  removeFile,
  runSeed,
  type SeededRandom,
  seededRandom,
  type TreeHashes,
} from '../support/trees.ts';

const modules = path.resolve(import.meta.dirname, '../../node_modules');
/** Installed whatever the platform: sources, declarations, maps, licences, a few binaries. */
const packages = ['fastify', 'typescript', 'react', 'react-dom', 'typebox', 'commander', 'ws', 'pino', 'ajv'];
const filesMin = 1_000;
const changes = scaled(100, 2_000);

/** A package tree, and what trees in the wild hold beside sources. */
function makeTree(dir: string, random: SeededRandom): void {
  for (const name of packages) {
    cpSync(path.join(modules, name), path.join(dir, 'packages', name), {
      recursive: true,
      dereference: true,
    });
  }
  for (let at = 0; at < 40; at += 1) putFile(dir, `binary/${at}.bin`, random.bytes(random.below(20_000)));
  putFile(dir, 'binary/large.bin', random.bytes(1_500_000));
  for (let at = 0; at < 10; at += 1) putFile(dir, `empty/${at}`, '');
  putFile(
    dir,
    `deep/${Array.from({ length: 30 }, (_, level) => `level ${level}`).join('/')}/leaf.txt`,
    'leaf',
  );
  for (const name of [
    'with space.txt',
    'ünïcödé.md',
    '日本語/ファイル.txt',
    'emoji 🚢.txt',
    "quote's & co.txt",
    '%41 percent.txt',
    '#hash?.txt',
    '.hidden/file',
    'crlf.txt',
  ]) {
    putFile(dir, `names/${name}`, `${name}\r\n`);
  }
  putFile(dir, 'names/bom.txt', Buffer.from([0xef, 0xbb, 0xbf, 0x61]));
  putFile(dir, 'names/not-utf8.txt', Buffer.from([0xff, 0xfe, 0x00]));
}

async function exported(client: MooringClient, workspaceId: string): Promise<TreeHashes> {
  const { stream } = await client.files.export(workspaceId, { format: 'tar' });
  return await hashTar(new Uint8Array(await new Response(stream).arrayBuffer()));
}

async function settled(agent: AgentProcess): Promise<void> {
  const result = await mooring(['sync', '--wait', '--timeout', '120s'], { dataDir: agent.dataDir });
  expect(result.stderr).toContain('Up to date');
  expect(result.code).toBe(0);
}

/** One change of one side on files that only this side touches. Returns what is there afterwards. */
type Side = {
  readonly write: (file: string, content: Uint8Array) => Promise<unknown>;
  readonly remove: (file: string) => Promise<unknown>;
  readonly rename: (from: string, to: string) => Promise<unknown>;
};

function folderSide(dir: string): Side {
  return {
    write: async (file, content) => putFile(dir, file, content),
    remove: async (file) => removeFile(dir, file),
    rename: async (from, to) => {
      mkdirSync(path.dirname(path.join(dir, to)), { recursive: true });
      renameSync(path.join(dir, from), path.join(dir, to));
    },
  };
}

function apiSide(client: MooringClient, workspaceId: string): Side {
  const write = async (file: string, content: Uint8Array) =>
    await client.writeFile(workspaceId, `/${file}`, content);
  const remove = async (file: string) => await client.deleteFile(workspaceId, `/${file}`);
  return {
    write,
    remove,
    rename: async (from, to) => {
      const { content, encoding } = await client.readFile(workspaceId, `/${from}`);
      await write(to, Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8'));
      await remove(from);
    },
  };
}

async function changeAtRandom(
  side: Side,
  files: string[],
  prefix: string,
  count: number,
  random: SeededRandom,
) {
  for (let at = 0; at < count; at += 1) {
    const kind = random.pick(['edit', 'create', 'delete', 'rename'] as const);
    if (kind === 'create') {
      const file = `${prefix}/new ${at}/ö ${random.below(1e9)}.bin`;
      await side.write(file, random.bytes(random.below(3_000)));
      files.push(file);
      continue;
    }
    const [file] = files.splice(random.below(files.length), 1);
    if (file === undefined) throw new Error('no file is left to change');
    if (kind === 'delete') await side.remove(file);
    else if (kind === 'edit') {
      await side.write(file, random.bytes(1 + random.below(3_000)));
      files.push(file);
    } else {
      const to = `${prefix}/moved ${at}/${path.basename(file)}`;
      await side.rename(file, to);
      files.push(to);
    }
  }
}

it(
  'mirrors an installed package tree, exports it and converges after changes from both sides',
  runOnce,
  async () => {
    const seed = runSeed();
    process.stdout.write(`seed ${seed} (MOORING_TEST_SEED repeats it)\n`);
    const random = seededRandom(seed);
    const dir = tempFolder('mooring-main-job');
    makeTree(dir, random);
    const original = hashFolder(dir);
    expect(original.size).toBeGreaterThan(filesMin);

    const agent = await startAgent({ args: ['--log-level', 'warn'] });
    const created = await mooring(['workspace', 'create', '--name', 'tree', '--mirror', dir, '--json'], {
      dataDir: agent.dataDir,
    });
    const { workspaceId } = JSON.parse(created.stdout) as { workspaceId: string };
    const begun = performance.now();
    await settled(agent);
    process.stdout.write(`${original.size} files mirrored in ${Math.round(performance.now() - begun)} ms\n`);
    const client = ownerClient(agent);
    expect(differences(original, await exported(client, workspaceId))).toEqual([]);
    expect(differences(original, hashFolder(dir))).toEqual([]);

    // Each side gets every second file, so that the paths are disjoint.
    const sides: [string[], string[]] = [[], []];
    for (const [at, file] of [...original.keys()].entries()) sides[at % 2 === 0 ? 0 : 1].push(file);
    await Promise.all([
      changeAtRandom(folderSide(dir), sides[0], 'from folder', changes / 2, seededRandom(seed + 1)),
      changeAtRandom(apiSide(client, workspaceId), sides[1], 'from api', changes / 2, seededRandom(seed + 2)),
    ]);
    await settled(agent);

    const folder = hashFolder(dir);
    const expected = [...sides[0], ...sides[1]].sort();
    expect([...folder.keys()].filter((file) => !expected.includes(file))).toEqual([]);
    expect(expected.filter((file) => !folder.has(file))).toEqual([]);
    expect(differences(folder, await exported(client, workspaceId))).toEqual([]);
    const [mirror] = await client.mirrors.list(workspaceId);
    expect(mirror).toMatchObject({
      state: 'idle',
      pendingLocal: 0,
      pendingRemote: 0,
      conflicts: 0,
      problems: 0,
    });
  },
);
