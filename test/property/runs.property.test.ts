// Random programs in two runs at once, with commits in part, while others change other files: a discard leaves what was there, a commit
// what the run shows, an undo what was there before, each with the edits of others. And runs that change the same files as others.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DeleteFile, FileChange, WriteFile } from '../../server/core/change/change.ts';
import { type Decision, type RunCaller, RunService } from '../../server/runs/service.ts';
import { createForks } from '../../server/workspaces/forks.ts';
import { createHistory } from '../../server/workspaces/history.ts';
import { createWorkspaceService } from '../../server/workspaces/service.ts';
import { inlineCompute } from '../support/inline-compute.ts';
import { scaled } from '../support/scale.ts';
import { any, openTestStore } from '../support/store.ts';

const caller: RunCaller = {
  access: null,
  tokenId: null,
  actor: { kind: 'token', name: 'tester', tokenId: null },
  correlationId: 'corr-runs',
};

/** Below a directory of each run, of which files become directories and the other way round. */
const names = ['/a', '/a/b', '/a/b/c', '/d/e', '/d/f', '/g h/"i"', '/é/ü', '/z'];

interface Step {
  /** 0 and 1: a run; 2: others, directly in the workspace. */
  readonly who: 0 | 1 | 2;
  readonly kind: 'write' | 'write_both' | 'delete' | 'commit_part';
  readonly name: number;
  readonly other: number;
  readonly content: number;
}

const step = fc.record<Step>({
  who: fc.constantFrom(0, 1, 2),
  kind: fc.constantFrom('write', 'write', 'write_both', 'delete', 'delete', 'commit_part'),
  name: fc.nat(names.length - 1),
  other: fc.nat(names.length - 1),
  content: fc.nat(7),
});

async function rig() {
  const given = await openTestStore();
  const { store, clock } = given;
  let ids = 0;
  const uuid = () => {
    ids += 1;
    return String(ids);
  };
  const workspaces = createWorkspaceService({ store, clock, randomId: uuid });
  const history = createHistory(store, inlineCompute);
  const forks = createForks({ store, clock, uuid });
  const runs = new RunService({ store, forks, workspaces, history, compute: inlineCompute, clock, uuid });

  const open = async (workspaceId: string) => {
    const { actor } = caller;
    const made = await runs.create({
      workspaceId,
      name: '',
      path: '/',
      command: [],
      by: actor,
      creatorTokens: [],
    });
    if (made.kind !== 'open') throw new Error(made.kind);
    return made.run.run;
  };
  const change = async (workspaceId: string, changes: readonly FileChange[], forkId?: string) => {
    clock.now += 1;
    const command = { ...caller, workspaceId, changes, atomic: false, makesOperations: true };
    const files = forkId === undefined ? workspaces : await forks.files(workspaceId, forkId);
    return await files.change({ ...command, origin: 'agent_write' });
  };
  /** Path -> what a reader gets there. */
  const files = async (workspaceId: string, forkId?: string) => {
    const filter = { path: '/', properties: {} };
    const source = forkId === undefined ? workspaces : await forks.files(workspaceId, forkId);
    const { items } = await source.query(workspaceId, filter, { afterPath: null, limit: 1000, access: null });
    return new Map(
      items.map(({ entry }) => [
        entry.path,
        JSON.stringify([entry.hash, entry.contentType, entry.encoding, entry.semantics]),
      ]),
    );
  };
  return { ...given, runs, open, changeFiles: change, files };
}

type Rig = Awaited<ReturnType<typeof rig>>;

async function changesOf({ write }: Rig, top: string, one: Step): Promise<(WriteFile | DeleteFile)[]> {
  const { kind, name, other, content } = one;
  const write_ = (at: number) =>
    write(`${top}${names[at]}`, `content ${content}`, {
      ...(content % 3 === 0 ? {} : { contentType: content % 3 === 1 ? 'text/plain' : 'text/html' }),
      ...(content > 5 ? { semantics: { properties: { n: String(content) } }, replacesSemantics: true } : {}),
    });
  if (kind === 'delete') return [{ kind: 'delete_file', path: `${top}${names[name]}`, precondition: any }];
  return kind === 'write_both' ? [await write_(name), await write_(other)] : [await write_(name)];
}

const below = (files: ReadonlyMap<string, string>, top: string) =>
  new Map([...files].filter(([path]) => path.startsWith(`${top}/`)));

test('a discard, a commit and an undo leave what they say, with the edits of others', async () => {
  const given = await rig();
  const { store, clock, runs, open, changeFiles, files } = given;
  const tops = ['/run0', '/run1', '/others'];
  let made = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 8 }),
      fc.array(step, { minLength: 1, maxLength: 25 }),
      fc.array(step, { maxLength: 6 }),
      fc.boolean(),
      async (first, steps, last, discards) => {
        made += 1;
        const workspaceId = `rw_prop${made}`;
        await store.workspaces.create({ workspaceId, name: 'Run', createdAtMs: clock.now });
        for (const one of first)
          await changeFiles(workspaceId, await changesOf(given, tops[one.who] as string, one));
        const before = await files(workspaceId);
        const both = [await open(workspaceId), await open(workspaceId)] as const;
        const all = (index: number) => both[index as 0 | 1];
        const isPartly = [false, false];
        for (const one of steps) {
          const { who } = one;
          const changes = await changesOf(given, tops[who] as string, one);
          if (who === 2) await changeFiles(workspaceId, changes);
          else if (one.kind === 'commit_part') {
            const globs = [`${tops[who]}${names[one.name]}`, `${tops[who]}/${'adz'[one.other % 3]}/**`];
            const live = await files(workspaceId);
            const seen = await files(workspaceId, all(who).forkId);
            const result = await runs.commit(workspaceId, all(who).runId, caller, {
              globs,
              decisions: [],
              stagedRevision: null,
            });
            // A part may not fit: a file whose directory is still a file outside of the run.
            if (result.kind === 'committed') {
              isPartly[who] = isPartly[who] || result.writes + result.deletes > 0;
            } else expect(await files(workspaceId)).toEqual(live);
            const { state } = await runs.get(workspaceId, all(who).runId, caller);
            if (state !== 'open') return;
            // A commit in part changes nothing of what the run shows below its directory.
            const top = tops[who] as string;
            expect(below(await files(workspaceId, all(who).forkId), top)).toEqual(below(seen, top));
          } else await changeFiles(workspaceId, changes, all(who).forkId);
        }
        const others = below(await files(workspaceId), '/others');
        const inRun = below(await files(workspaceId, both[0].forkId), '/run0');
        const untouched = below(await files(workspaceId), '/run1');
        const expected = (mine: ReadonlyMap<string, string>, theirs = others) =>
          new Map([...mine, ...untouched, ...theirs]);
        if (discards && !isPartly[0]) {
          await runs.discard(workspaceId, both[0].runId, caller);
          expect(await files(workspaceId)).toEqual(expected(below(before, '/run0')));
          return;
        }
        const committed = await runs.commit(workspaceId, both[0].runId, caller, {
          globs: [],
          decisions: [],
          stagedRevision: null,
        });
        expect(committed.kind).toBe('committed');
        expect(await files(workspaceId)).toEqual(expected(inRun));
        for (const one of last) await changeFiles(workspaceId, await changesOf(given, '/others', one));
        const later = below(await files(workspaceId), '/others');
        const { run } = await runs.get(workspaceId, both[0].runId, caller);
        if (run.commits.length === 0) return;
        const undo = (dryRun: boolean) =>
          runs.undo(workspaceId, run.runId, caller, { decisions: [], dryRun });
        expect((await undo(true)).kind).toBe('undone');
        expect(await files(workspaceId)).toEqual(expected(inRun, later));
        expect((await undo(false)).kind).toBe('undone');
        expect(await files(workspaceId)).toEqual(expected(below(before, '/run0'), later));
      },
    ),
    { numRuns: scaled(100, 1000), endOnFailure: false },
  );
});

interface Edit {
  readonly who: 'run' | 'others';
  readonly path: number;
  /** null: deleted. */
  readonly content: number | null;
}

const edit = fc.record<Edit>({
  who: fc.constantFrom('run', 'others'),
  path: fc.nat(3),
  content: fc.option(fc.nat(2)),
});
const flat = ['/p0', '/p1', '/p2', '/p3'];

test('a commit and an undo take of each file that others changed too what was decided, and list it before', async () => {
  const given = await rig();
  const { store, clock, runs, open, changeFiles, files, write } = given;
  let made = 0;
  const editsOf = async ({ path, content }: Edit): Promise<FileChange> =>
    content === null
      ? { kind: 'delete_file', path: flat[path] as string, precondition: any }
      : await write(flat[path] as string, `${content}`);
  await fc.assert(
    fc.asyncProperty(
      fc.array(edit, { maxLength: 4 }),
      fc.array(edit, { minLength: 1, maxLength: 10 }),
      fc.array(edit, { maxLength: 4 }),
      fc.array(fc.constantFrom('run' as const, 'workspace' as const), { minLength: 4, maxLength: 4 }),
      async (first, edits, last, takes) => {
        made += 1;
        const workspaceId = `rw_flat${made}`;
        await store.workspaces.create({ workspaceId, name: 'Run', createdAtMs: clock.now });
        for (const one of first) await changeFiles(workspaceId, [await editsOf(one)]);
        const { runId, forkId } = await open(workspaceId);
        for (const one of edits)
          await changeFiles(workspaceId, [await editsOf(one)], one.who === 'run' ? forkId : undefined);
        const live = await files(workspaceId);
        const inRun = await files(workspaceId, forkId);
        const decide = (paths: readonly string[]): Decision[] =>
          paths.map((path) => ({ path, take: takes[flat.indexOf(path)] ?? 'run', revision: null }));
        const plain = await runs.commit(workspaceId, runId, caller, {
          globs: [],
          decisions: [],
          stagedRevision: null,
        });
        const conflicts = plain.kind === 'conflicts' ? plain.conflicts.map(({ path }) => path) : [];
        if (plain.kind === 'conflicts') {
          expect(await files(workspaceId)).toEqual(live);
          expect(await files(workspaceId, forkId)).toEqual(inRun);
          const decisions = decide(conflicts);
          const decided = await runs.commit(workspaceId, runId, caller, {
            globs: [],
            decisions,
            stagedRevision: null,
          });
          expect(decided.kind).toBe('committed');
        }
        const after = await files(workspaceId);
        for (const path of conflicts) {
          const take = takes[flat.indexOf(path)] === 'run' ? inRun : live;
          expect(after.get(path)).toBe(take.get(path));
        }
        const { run } = await runs.get(workspaceId, runId, caller);
        if (run.commits.length === 0) return;
        for (const one of last) await changeFiles(workspaceId, [await editsOf(one)]);
        const later = await files(workspaceId);
        const refused = await runs.undo(workspaceId, runId, caller, { decisions: [], dryRun: false });
        if (refused.kind === 'conflicts') {
          expect(await files(workspaceId)).toEqual(later);
          const listed = refused.conflicts.map(({ path }) => path);
          const undone = await runs.undo(workspaceId, runId, caller, {
            decisions: decide(listed),
            dryRun: false,
          });
          expect(undone.kind).toBe('undone');
          for (const path of listed) {
            const take = takes[flat.indexOf(path)] === 'run' ? live : later;
            expect((await files(workspaceId)).get(path)).toBe(take.get(path));
          }
        } else expect(refused.kind).toBe('undone');
      },
    ),
    { numRuns: scaled(80, 1000), endOnFailure: false },
  );
});
