// Random requests against the store and against a few lines of plain memory: both must tell the same story.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileChange, Precondition } from '../../server/core/change/change.ts';
import type { AccessSubject, Entry } from '../../server/core/entry.ts';
import { comparePaths, depthOf, isWithin } from '../../server/core/paths/path.ts';
import type { Store, TreeEntry, TreeQuery } from '../../server/store/port/store.ts';
import { allFiles, openTestStore, type TestStore, testWorkspace } from '../support/store.ts';

const names = ['a', 'b', 'a-b', 'a0', 'ä', '😀', '\uffee'];
const aPath = fc
  .array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 })
  .map((segments) => `/${segments.join('/')}`);
const aPrecondition = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Precondition>({ kind: 'any' }) },
  fc.constant<Precondition>({ kind: 'absent' }),
  fc.integer({ min: 1, max: 60 }).map((n): Precondition => ({ kind: 'revision', revision: `rev_${n}` })),
);
const aStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      path: aPath,
      text: fc.constantFrom('1', '2', '3'),
      precondition: aPrecondition,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('delete' as const), path: aPath, precondition: aPrecondition }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      path: aPath,
      to: aPath,
      precondition: aPrecondition,
    }),
  },
);
type Step = typeof aStep extends fc.Arbitrary<infer T> ? T : never;
const aRequest = fc.record({ atomic: fc.boolean(), steps: fc.array(aStep, { minLength: 1, maxLength: 6 }) });

class Model {
  files = new Map<string, { revision: number; text: string }>();
  events: string[] = [];
  history: string[] = [];
  revision = 0;

  apply(step: Step): boolean {
    const current = this.files.get(step.path);
    if (step.do === 'write') {
      if (this.blocked(step.path) || !this.holds(step.precondition, current)) return false;
      const revision = this.take(step.path, 'write');
      this.files.set(step.path, { revision, text: step.text });
      this.events.push(`${current === undefined ? 'file.created' : 'file.updated'} ${step.path} ${revision}`);
      return true;
    }
    if (current === undefined || !this.holds(step.precondition, current)) return false;
    if (step.do === 'move') {
      const others = new Map(this.files);
      others.delete(step.path);
      const isDirectory = [...this.files.keys()].some((path) => path !== step.to && isWithin(step.to, path));
      if (this.files.has(step.to) || isDirectory || above(step.to).some((path) => others.has(path)))
        return false;
    }
    this.files.delete(step.path);
    const gone = this.take(step.path, 'delete');
    this.events.push(`file.deleted ${step.path} ${gone}`);
    if (step.do === 'move') {
      const revision = this.take(step.to, 'move');
      this.files.set(step.to, { revision, text: current.text });
      this.events.push(`file.created ${step.to} ${revision}`);
    }
    return true;
  }

  copy(): Model {
    const copy = new Model();
    copy.files = new Map(this.files);
    copy.events = [...this.events];
    copy.history = [...this.history];
    copy.revision = this.revision;
    return copy;
  }

  tree(base: string, depth: number): string[] {
    const shown = new Map<string, string>();
    for (const [path, { revision }] of this.files) {
      if (path === base || !isWithin(base, path)) continue;
      for (const directory of above(path)) {
        if (directory !== base && isWithin(base, directory)) shown.set(directory, 'dir');
      }
      shown.set(path, `rev_${revision}`);
    }
    return [...shown]
      .filter(([path]) => depthOf(path) <= depthOf(base) + depth)
      .toSorted(([left], [right]) => comparePaths(left, right))
      .map(([path, what]) => `${path} ${what}`);
  }

  private take(path: string, action: string): number {
    this.revision += 1;
    this.history.push(`${path} ${action} ${this.revision}`);
    return this.revision;
  }

  private blocked(path: string): boolean {
    const isDirectory = [...this.files.keys()].some((other) => other !== path && isWithin(path, other));
    return isDirectory || above(path).some((other) => this.files.has(other));
  }

  private holds(precondition: Precondition, current: { revision: number } | undefined): boolean {
    if (precondition.kind === 'absent') return current === undefined;
    return (
      precondition.kind === 'any' ||
      `rev_${current?.revision}` === (precondition as { revision?: string }).revision
    );
  }
}

function above(path: string): string[] {
  const found: string[] = [];
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1))
    found.push(path.slice(0, end));
  return found;
}

async function changeOf(test: TestStore, step: Step): Promise<FileChange> {
  switch (step.do) {
    case 'write':
      return await test.write(step.path, step.text, { precondition: step.precondition });
    case 'delete':
      return { kind: 'delete_file', path: step.path, precondition: step.precondition };
    case 'move':
      return { kind: 'move_file', from: step.path, to: step.to, precondition: step.precondition };
  }
}

async function wholeTree(
  store: Store,
  workspaceId: string,
  query: Omit<TreeQuery, 'afterPath'>,
): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  for (;;) {
    const page = await store.files.tree(workspaceId, { ...query, afterPath: entries.at(-1)?.path ?? null });
    entries.push(...page.entries);
    if (!page.more) return entries;
  }
}

const lineOf = (entry: Entry | TreeEntry) =>
  `${entry.path} ${entry.type === 'dir' ? 'dir' : `rev_${entry.revision}`}`;

describe('the store and a model of it', () => {
  it('agree on results, trees of every depth and page size, history and events', async () => {
    const test = await openTestStore();
    const { store, change } = test;
    let number = 0;
    let counted = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(aRequest, { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        aPath,
        async (requests, size, base) => {
          number += 1;
          const workspaceId = `rw_model${number}`;
          await store.workspaces.create({ workspaceId, name: 'model', createdAtMs: 1 });
          const offset = await store.files.lastRevision(workspaceId);
          const shift = (step: Step): Step =>
            step.precondition.kind === 'revision'
              ? {
                  ...step,
                  precondition: {
                    kind: 'revision',
                    revision: `rev_${Number(step.precondition.revision.slice(4)) + offset}`,
                  },
                }
              : step;
          let model = new Model();
          model.revision = offset;
          for (const request of requests) {
            const steps = request.steps.map(shift);
            const changes = await Promise.all(steps.map((step) => changeOf(test, step)));
            const results = await change(changes, { workspaceId, atomic: request.atomic });
            const trial = model.copy();
            const expected = steps.map((step) => trial.apply(step));
            const refused = request.atomic && expected.includes(false);
            expect(results.map((result) => result.ok)).toEqual(refused ? steps.map(() => false) : expected);
            if (!refused) model = trial;
            counted += 1;
          }
          for (const depth of [1, 2, 9]) {
            for (const path of ['/', base]) {
              const tree = await wholeTree(store, workspaceId, { path, depth, limit: size, access: null });
              expect(tree.map(lineOf)).toEqual(model.tree(path, depth));
            }
          }
          const events = await store.events.list(workspaceId, {
            direction: 'asc',
            from: null,
            limit: 1000,
            pathPrefix: null,
            provider: null,
            access: null,
          });
          expect(events.events.map((event) => `${event.type} ${event.path} ${event.revision}`)).toEqual(
            model.events,
          );
          for (const path of new Set(model.history.map((line) => line.split(' ')[0] as string))) {
            const rows = await store.files.history(workspaceId, path, 100, null);
            expect(rows.map((row) => `${row.path} ${row.action} ${row.revision}`)).toEqual(
              model.history.filter((line) => line.startsWith(`${path} `)).toReversed(),
            );
          }
        },
      ),
      { numRuns: 40 },
    );
    expect(counted).toBeGreaterThan(40);
    expect(await store.maintenance.integrityCheck()).toEqual([]);
  }, 180_000);
});

describe('what a subject sees', () => {
  const one: AccessSubject = { workspaceId: testWorkspace, agent: 'one', scopes: [] };
  const aRule = fc.constantFrom('agent:one', 'agent:two', 'deny:agent:one', 'tag');
  const aFile = fc.record({ path: aPath, own: fc.option(aRule, { nil: undefined }) });
  const aMarker = fc.record({ directory: fc.oneof(fc.constant(''), aPath), rule: aRule });

  it('is the same in trees, counts, queries, lists and single looks', async () => {
    const { store, change, write } = await openTestStore();
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(aFile, { maxLength: 12 }),
        fc.array(aMarker, { maxLength: 4 }),
        async (files, markers) => {
          number += 1;
          const workspaceId = `rw_seen${number}`;
          await store.workspaces.create({ workspaceId, name: 'seen', createdAtMs: 1 });
          const writes = [
            ...files.map(({ path, own }) =>
              write(path, 'x', own === undefined ? {} : { semantics: { permissions: [own] } }),
            ),
            ...markers.map(({ directory, rule }) =>
              write(`${directory}/.relayfile.acl`, '', { semantics: { permissions: [rule] }, aclText: '' }),
            ),
          ];
          await change(await Promise.all(writes), { workspaceId });
          const all = await store.files.list(workspaceId, '/', null, 1000);
          const seen: string[] = [];
          for (const { path } of all) {
            if ((await store.files.getChecked(workspaceId, path, one)).allowed) seen.push(path);
          }
          const query = await store.files.query(
            workspaceId,
            { path: '/', properties: {} },
            { afterPath: null, limit: 1000, access: one },
          );
          expect(query?.items.map((item) => item.entry.path)).toEqual(seen);
          const tree = await wholeTree(store, workspaceId, { path: '/', depth: 9, limit: 3, access: one });
          expect(tree.filter((entry) => entry.type === 'file').map((entry) => entry.path)).toEqual(seen);
          for (const entry of tree) {
            if (entry.type === 'dir') {
              expect(entry.files, entry.path).toBe(
                seen.filter((path) => path !== entry.path && isWithin(entry.path, path)).length,
              );
              expect(entry.files).toBeGreaterThan(0);
            }
          }
          const page = await store.files.tree(workspaceId, {
            path: '/',
            depth: 1,
            afterPath: null,
            limit: 10,
            access: one,
          });
          expect(page?.totalFiles).toBe(seen.length);
          const snapshot = await store.files.snapshot();
          expect((await allFiles(snapshot, workspaceId, '/', one)).map((file) => file.path)).toEqual(seen);
          snapshot.close();
          const events = await store.events.list(workspaceId, {
            direction: 'asc',
            from: null,
            limit: 1000,
            pathPrefix: null,
            provider: null,
            access: one,
          });
          expect(seen).toEqual(expect.arrayContaining(events.events.map((event) => event.path)));
        },
      ),
      { numRuns: 40 },
    );
  }, 180_000);
});
