// kill -9 at random moments while both sides are changed, also while it starts, and on with the work on the same data. In the
// end every acknowledged content is there, nothing came or went that nobody asked for, and nothing was done twice.
import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { EventRow, OperationRow } from '../../server/store/port/store.ts';
import { ConcurrentEdits } from '../support/concurrent-edits.ts';
import { type Killable, KillableAgent, KillableMirror } from '../support/killable.ts';
import { type Files, type MirrorHarness, startMirrorHarness } from '../support/mirror-harness.ts';
import { runOnce } from '../support/run-once.ts';
import { scaled } from '../support/scale.ts';
import { sha256 } from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';

const changesPerRoundMax = 30;
const pageRows = 1000;

interface Subject {
  readonly name: string;
  readonly kills: number;
  make(rig: MirrorHarness): Killable;
}
const subjects: readonly Subject[] = [
  { name: 'the mirror', kills: scaled(6, 200), make: (rig) => new KillableMirror(rig) },
  // Its start takes much longer; flow/power-cut kills it, too.
  { name: 'the whole agent', kills: scaled(1, 200), make: (rig) => new KillableAgent(rig) },
];

vi.setConfig({ testTimeout: scaled(180_000, 3_600_000) });

describe('kill -9 at random moments of work on both sides', () => {
  it.each(subjects)(
    'of $name loses nothing and doubles nothing, $kills times',
    runOnce,
    async ({ kills, make }) => {
      const rig = await startMirrorHarness();
      const work = new ConcurrentEdits(rig.root);
      process.stdout.write(`seed ${work.seed} (MOORING_TEST_SEED repeats it)\n`);
      work.begin();
      await rig.mirror();
      await rig.stop();

      const engine = make(rig);
      try {
        for (let round = 0; round < kills; round += 1) await workUntilKilled(engine, work);
      } finally {
        await engine.kill();
      }

      await rig.start();
      await waitFor(
        'both sides to be equal',
        async () => (await rig.manager.settle({ timeoutMs: 5000 })).settled,
        {
          deadlineMs: 60_000,
        },
      );
      await judge(rig, work);
      process.stdout.write(`${work.acknowledged} acknowledged changes over ${kills} kills\n`);
    },
  );
});

async function workUntilKilled(engine: Killable, work: ConcurrentEdits): Promise<void> {
  const { random } = work;
  const stop = new AbortController();
  const folder = work.changeFolder(changesPerRoundMax, stop.signal);
  const started = engine.start().then(
    () => true,
    () => false,
  );
  let workspace: Promise<void> | null = null;
  const early = random.below(5) === 0;
  const enough = work.acknowledged + random.below(changesPerRoundMax * 2);
  const lateMs = random.below(40);
  // What a crash left is being put right at that time: it must bear another one.
  if (early) await delay(random.below(800));
  else if (await started) {
    workspace = work.writeWorkspace(engine);
    await waitFor('changes to kill', () => work.acknowledged >= enough, { everyMs: 1, deadlineMs: 60_000 });
    await delay(lateMs);
  }
  await engine.kill();
  stop.abort();
  await Promise.all([folder, workspace, started]);
}

async function judge(rig: MirrorHarness, work: ConcurrentEdits): Promise<void> {
  const files = await rig.both();
  const { halt, problems } = await rig.view();
  expect({ halt, problems }).toEqual({ halt: null, problems: 0 });
  expect(temporariesIn(rig.root), 'temporary files are left').toEqual([]);

  const torn = Object.entries(files).filter(([, content]) => !work.contents.has(content));
  expect(
    torn.map(([file, content]) => `${file}: ${content.slice(0, 80)}`),
    'A8: nobody wrote this',
  ).toEqual([]);
  expect(below('/here/', files), 'A2, A3, A7: the folder alone was changed there').toEqual(
    Object.fromEntries([...work.here].sort()),
  );
  const wrong = [...work.there].filter(([file, allowed]) => !allowed.includes(files[file] ?? null));
  expect(wrong, 'A2, A3, A7: the workspace alone was changed there').toEqual([]);
  const alien = Object.keys(below('/there/', files)).filter((file) => !work.there.has(file));
  expect(alien, 'A4: nobody made these').toEqual([]);

  const kept = await keptContents(rig, files);
  expect(
    lost(work, kept),
    'A1: acknowledged, and neither in a file, nor in a copy, nor in the history',
  ).toEqual([]);
  const events = await eventsOf(rig);
  expect(replayed(events), 'the events do not lead to what stands there').toEqual(
    Object.fromEntries(Object.entries(files).map(([file, content]) => [file, hashOf(content)])),
  );
  expect(doubled(work, events, await operationsOf(rig)), 'A6: one write, two effects').toEqual([]);
}

function lost(work: ConcurrentEdits, kept: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const gone: string[] = [];
  for (const { path, content } of work.written)
    if (!kept.get(hashOf(content))?.has(path)) gone.push(`${path} of the workspace: ${content.slice(0, 60)}`);
  for (const { content, paths, givenUp } of work.folderValues.values()) {
    if (givenUp) continue;
    const places = [...(kept.get(hashOf(content)) ?? [])];
    const isThere = places.some((place) =>
      [...paths].some((path) => place === path || isCopyOf(place, path)),
    );
    if (!isThere) gone.push(`${[...paths]} of the folder: ${content.slice(0, 60)} (kept at ${places})`);
  }
  return gone;
}

function isCopyOf(place: string, path: string): boolean {
  return place.startsWith(`${path.slice(0, -'.txt'.length)} (conflict `);
}

/** Hash of a content -> paths that hold it, or once held it. */
async function keptContents(rig: MirrorHarness, files: Files): Promise<Map<string, Set<string>>> {
  const kept = new Map<string, Set<string>>();
  const add = (hash: string, path: string) => kept.set(hash, (kept.get(hash) ?? new Set()).add(path));
  for (const [file, content] of Object.entries(files)) add(hashOf(content), file);
  const paths = new Set((await eventsOf(rig)).map((event) => event.path));
  for (const path of paths)
    for (const row of await rig.workspaces.history(rig.workspaceId, path, pageRows, null)) {
      // History is worth what can still be read of it.
      if (row.hash !== null && (await rig.workspaces.readContent(row.hash)) !== null) add(row.hash, path);
    }
  return kept;
}

/** Path -> hash, as one who only follows the events comes to it. Throws when an event cannot follow the one before it. */
function replayed(events: readonly EventRow[]): Readonly<Record<string, string | null>> {
  const held = new Map<string, string | null>();
  for (const { type, path, hash, seq } of events) {
    const isNew = !held.has(path);
    if (isNew !== (type === 'file.created')) throw new Error(`A6: event ${seq} says ${type} of ${path}`);
    if (type === 'file.deleted') held.delete(path);
    else held.set(path, hash);
  }
  return Object.fromEntries([...held].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function doubled(
  work: ConcurrentEdits,
  events: readonly EventRow[],
  operations: readonly OperationRow[],
): readonly string[] {
  const effects = new Map<string, number>();
  const count = (key: string) => effects.set(key, (effects.get(key) ?? 0) + 1);
  for (const { path, revision } of operations) count(`operations of ${path} at ${revision}`);
  const moved = new Set(
    [...work.folderValues.values()]
      .filter(({ paths }) => paths.size > 1)
      .map(({ content }) => hashOf(content)),
  );
  for (const { path, hash } of events)
    if (hash !== null && hash !== hashOf('') && !moved.has(hash)) count(`events of ${path} with ${hash}`);
  return [...effects].filter(([, times]) => times > 1).map(([what, times]) => `${times} ${what}`);
}

async function eventsOf(rig: MirrorHarness): Promise<readonly EventRow[]> {
  const all: EventRow[] = [];
  for (let from: number | null = null; ; ) {
    const page = await rig.store.events.list(rig.workspaceId, {
      direction: 'asc',
      from,
      limit: pageRows,
      pathPrefix: null,
      provider: null,
      access: null,
    });
    all.push(...page.events);
    if (!page.more || page.scannedTo === null) return all;
    from = page.scannedTo;
  }
}

async function operationsOf(rig: MirrorHarness): Promise<readonly OperationRow[]> {
  const all: OperationRow[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await rig.store.operations.list(rig.workspaceId, { cursor, limit: pageRows });
    if (page === null) throw new Error('an operation that was listed is gone');
    all.push(...page.items);
    const last = page.items.at(-1);
    if (!page.more || last === undefined) return all;
    cursor = last.opId;
  }
}

function below(directory: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).filter(([file]) => file.startsWith(directory)));
}

function temporariesIn(root: string): readonly string[] {
  return readdirSync(root, { recursive: true })
    .map(String)
    .filter((name) => name.includes('.mooring-tmp-'));
}

function hashOf(content: string): string {
  return sha256(Buffer.from(content, 'latin1'));
}
