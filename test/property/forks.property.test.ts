// A fork shows what the same writes made live would show, and its commit leaves what they would have left: random programs, run
// in one workspace live and in another through a fork, while somebody else goes on changing other files.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChangeResult, DeleteFile, WriteFile } from '../../server/core/change/change.ts';
import type { Store } from '../../server/store/port/store.ts';
import { createExporter } from '../../server/workspaces/export.ts';
import { scaled } from '../support/scale.ts';
import { openTestStore } from '../support/store.ts';

const paths = ['/a', '/a/b', '/a/b/c', '/d/e', '/d/f', '/g h/"i"', '/é/ü', '/z'];
const actor = { kind: 'token', name: 'tester', tokenId: null } as const;
const any = { kind: 'any' } as const;

interface Step {
  readonly kind: 'write' | 'delete' | 'bulk' | 'noise';
  readonly path: number;
  readonly other: number;
  readonly content: number;
}

const step = fc.record<Step>({
  kind: fc.constantFrom('write', 'write', 'delete', 'bulk', 'noise'),
  path: fc.nat(paths.length - 1),
  other: fc.nat(paths.length - 1),
  content: fc.nat(7),
});

type Given = Awaited<ReturnType<typeof openTestStore>>;

async function changesOf(
  given: Given,
  { kind, path: at, other, content }: Step,
): Promise<(WriteFile | DeleteFile)[]> {
  const [one = '/', two = '/'] = [paths[at], paths[other]];
  const write = (target: string) =>
    given.write(target, `content ${content}`, {
      ...(content % 3 === 0 ? {} : { contentType: content % 3 === 1 ? 'text/plain' : 'text/html' }),
      encoding: content === 3 ? 'base64' : 'utf-8',
      ...(content > 4 ? { semantics: { properties: { n: String(content) }, relations: ['r'] } } : {}),
    });
  if (kind === 'delete') return [{ kind: 'delete_file', path: one, precondition: any }];
  return kind === 'bulk' ? [await write(one), await write(two)] : [await write(one)];
}

/** As an export shows it, without what every revision has of its own. */
async function exported(store: Store, workspaceId: string, forkId?: string): Promise<unknown[]> {
  const opened = await createExporter(store.files).open({
    workspaceId,
    path: '/',
    format: 'json',
    level: 0,
    access: null,
    ...(forkId === undefined ? {} : { forkId }),
  });
  const records = JSON.parse(await new Response(opened?.stream).text()) as Record<string, unknown>[];
  return records.map((record) => ({ ...record, revision: null, lastEditedAt: null }));
}

const withoutNoise = (records: unknown[]) =>
  records.filter((record) => !(record as { path: string }).path.startsWith('/noise'));

type Tree = Store['files']['tree'];

/** The whole tree in pages of two, to a depth. */
async function listed(tree: (query: Parameters<Tree>[1]) => ReturnType<Tree>, base: string, depth: number) {
  const entries: string[] = [];
  let totalFiles = 0;
  for (let afterPath: string | null = null; ; ) {
    const page = await tree({ path: base, depth, afterPath, limit: 2, access: null });
    entries.push(...page.entries.map(({ type, path }) => `${type} ${path}`));
    totalFiles = page.totalFiles;
    afterPath = page.more ? (page.entries.at(-1)?.path ?? null) : null;
    if (afterPath === null) return { entries, totalFiles };
  }
}

const told = (results: readonly ChangeResult[]) =>
  results.map((result) => (result.ok ? result.contentType : result.code));

async function found(query: Promise<Awaited<ReturnType<Store['files']['query']>>>) {
  return (await query)?.items.map(({ entry }) => entry.path);
}

test('a fork shows what the same writes made live show, and its commit equals them', async () => {
  const given = await openTestStore();
  const { store, clock } = given;
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 8 }),
      fc.array(step, { minLength: 1, maxLength: 15 }),
      async (before, steps) => {
        runs += 1;
        const [live, forked] = [`rw_live${runs}`, `rw_fork${runs}`];
        for (const workspaceId of [live, forked]) {
          await store.workspaces.create({ workspaceId, name: 'Run', createdAtMs: clock.now });
          for (const one of before) await given.change(await changesOf(given, one), { workspaceId });
          await given.change([await given.write('/noise/kept', 'x'), await given.write('/noise/goes', 'x')], {
            workspaceId,
          });
        }
        const made = await store.content.createFork({
          workspaceId: forked,
          forkId: `fork_${runs}`,
          proposalId: `p${runs}`,
          createdBy: 'tester',
          creatorTokens: [],
          expiresAtMs: clock.now + 60_000,
        });
        if (made.kind !== 'open') throw new Error(made.kind);
        const { forkId } = made.fork;
        const untouched = await exported(store, forked);
        for (const [index, one] of steps.entries()) {
          clock.now += 10;
          if (one.kind === 'noise') {
            await given.change(
              [
                await given.write(`/noise/n${one.path}`, `${one.content}`),
                { kind: 'delete_file', path: '/noise/goes', precondition: any },
              ],
              { workspaceId: forked },
            );
            continue;
          }
          const changes = await changesOf(given, one);
          const there = await given.change(changes, { workspaceId: live });
          const here = await store.content.changeFork({
            workspaceId: forked,
            forkId,
            changes: await changesOf(given, one),
            actor,
            access: null,
            correlationId: 'corr',
          });
          if (here.kind !== 'changed') throw new Error(here.kind);
          expect(told(here.results)).toEqual(told(there));
          expect(await exported(store, forked, forkId)).toEqual(await exported(store, live));
          const base = ['/', '/a', '/d'][index % 3] ?? '/';
          const depth = [1, 2, 9][one.content % 3] ?? 1;
          expect(await listed((query) => store.forks.tree(forkId, query), base, depth)).toEqual(
            await listed((query) => store.files.tree(live, query), base, depth),
          );
          const page = { afterPath: null, limit: 10, access: null };
          for (const filter of [
            { relation: 'r', properties: {} },
            { provider: 'a', properties: {} },
          ]) {
            expect(await found(store.forks.query(forkId, { path: '/', ...filter }, page))).toEqual(
              await found(store.files.query(live, { path: '/', ...filter }, page)),
            );
          }
        }
        expect(withoutNoise(await exported(store, forked))).toEqual(withoutNoise(untouched));
        const revision = await store.files.lastRevision(forked);
        const committed = await store.content.commitFork({
          workspaceId: forked,
          forkId,
          actor,
          access: null,
          correlationId: 'corr-commit',
        });
        if (committed.kind !== 'committed') throw new Error(JSON.stringify(committed));
        expect(committed.revision - revision).toBe(committed.writes + committed.deletes);
        expect(withoutNoise(await exported(store, forked))).toEqual(
          withoutNoise(await exported(store, live)),
        );
      },
    ),
    { numRuns: scaled(20, 500) },
  );
  expect(await store.maintenance.integrityCheck()).toEqual([]);
  await store.maintenance.applyRetention(clock.now);
  expect(await store.maintenance.integrityCheck()).toEqual([]);
});
