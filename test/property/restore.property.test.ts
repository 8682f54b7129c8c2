// A past state, brought back, is what was there: random changes, moments taken among them, restores to them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FileChange, Precondition } from '../../server/core/change/change.ts';
import type { RestoreTarget, Store } from '../../server/store/port/store.ts';
import { createExporter } from '../../server/workspaces/export.ts';
import { createHistory } from '../../server/workspaces/history.ts';
import { inlineCompute } from '../support/inline-compute.ts';
import { scaled } from '../support/scale.ts';
import { openTestStore, testWorkspace } from '../support/store.ts';
import { tempFolder } from '../support/temp-folder.ts';

const paths = ['/a', '/a/b', '/a/b/c', '/d/e', '/d/f', '/g h/"i"', '/é/ü', '/z'];
const any: Precondition = { kind: 'any' };
const actor = { kind: 'token', name: 'tester', tokenId: null } as const;

interface Step {
  readonly kind: 'write' | 'delete' | 'move' | 'batch';
  readonly path: number;
  readonly other: number;
  readonly content: number;
}

const step = fc.record<Step>({
  kind: fc.constantFrom('write', 'write', 'write', 'delete', 'move', 'batch'),
  path: fc.nat(paths.length - 1),
  other: fc.nat(paths.length - 1),
  content: fc.nat(5),
});

type Given = Awaited<ReturnType<typeof openTestStore>>;

async function changesOf(given: Given, { kind, path: at, other, content }: Step): Promise<FileChange[]> {
  const [from = '/', to = '/'] = [paths[at], paths[other]];
  const write = (target: string) =>
    given.write(target, `content ${content}`, {
      contentType: content % 2 === 0 ? 'text/plain' : 'text/markdown',
      encoding: content === 3 ? 'base64' : 'utf-8',
      ...(content > 3 ? { semantics: { properties: { n: String(content) } } } : {}),
    });
  if (kind === 'write') return [await write(from)];
  if (kind === 'delete') return [{ kind: 'delete_file', path: from, precondition: any }];
  if (kind === 'move') return [{ kind: 'move_file', from, to, precondition: any }];
  return [await write(from), await write(to)];
}

/** As the export shows it, without what every revision has of its own. */
async function exported(store: Store, workspaceId: string, at: string): Promise<string> {
  const exporter = createExporter(store.files);
  const opened = await exporter.open({ workspaceId, path: at, format: 'json', level: 0, access: null });
  const records = JSON.parse(await new Response(opened?.stream).text()) as Record<string, unknown>[];
  return JSON.stringify(records.map((record) => ({ ...record, revision: null, lastEditedAt: null })));
}

const restore = (store: Store, workspaceId: string, target: RestoreTarget, dryRun = false) =>
  store.content.restore({
    workspaceId,
    target,
    dryRun,
    actor,
    access: null,
    correlationId: 'corr-restore',
  });

test('a restore to a moment, then an export, equals the export of that moment; taking it back equals the one before', async () => {
  const given = await openTestStore();
  const { store, clock } = given;
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 2, maxLength: 25 }),
      fc.nat(24),
      fc.constantFrom('/', '/a', '/d', '/é'),
      async (steps, cut, base) => {
        runs += 1;
        const workspaceId = `rw_run${runs}`;
        await store.workspaces.create({ workspaceId, name: 'Run', createdAtMs: clock.now });
        let then = { atMs: clock.now, whole: await exported(store, workspaceId, base) };
        for (const [index, one] of steps.entries()) {
          clock.now += 10;
          await given.change(await changesOf(given, one), { workspaceId });
          if (index === cut) then = { atMs: clock.now, whole: await exported(store, workspaceId, base) };
        }
        clock.now += 10;
        const before = await exported(store, workspaceId, '/');
        const target = { kind: 'instant', path: base, atMs: then.atMs } as const;
        const preview = await restore(store, workspaceId, target, true);
        expect(await exported(store, workspaceId, '/')).toBe(before);
        const done = await restore(store, workspaceId, target);
        if (!done.ok || !preview.ok) throw new Error(JSON.stringify([done, preview]));
        expect(await exported(store, workspaceId, base)).toBe(then.whole);
        expect(preview.files).toEqual(done.files.map((file) => ({ ...file, revision: null, opId: null })));
        if (done.batch !== null) {
          const undone = await restore(store, workspaceId, {
            kind: 'batch',
            path: '/',
            batch: done.batch,
            ifChanged: 'refuse',
          });
          expect(undone.ok).toBe(true);
        }
        expect(await exported(store, workspaceId, '/')).toBe(before);
      },
    ),
    { numRuns: scaled(60, 1000) },
  );
  expect(await store.maintenance.integrityCheck()).toEqual([]);
});

const line = fc.oneof(
  fc.constantFrom('same', '', 'a', '@@ -1 +1 @@', '--- x', '\\ No newline at end of file', 'é\u2028ü'),
  fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\t', '+', '-', 'ß', '😀'), maxLength: 6 }),
);
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, end, whole]) => lines.join(end) + (whole && lines.length > 0 ? end : ''));

test('the patch between two revisions, applied to the first by git, gives the second', async () => {
  const given = await openTestStore();
  const history = createHistory(given.store, inlineCompute);
  const folder = tempFolder();
  await fc.assert(
    fc.asyncProperty(text, text, fc.constantFrom(...paths.slice(3)), async (before, after, name) => {
      const first = await given.put(name, before);
      const second = await given.put(name, after);
      const [newer, older] = await given.store.files.history(testWorkspace, name, 2, null);
      expect([newer?.revision, older?.revision]).toEqual([second, first]);
      const found = await history.difference(name, older ?? null, newer ?? null);
      if (found?.kind !== 'text') throw new Error(`no text: ${JSON.stringify(found)}`);
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, before);
      if (found.patch !== '') {
        execFileSync('git', ['apply', '--whitespace=nowarn', '-'], {
          cwd: folder,
          input: found.patch,
          env: { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(folder) },
        });
      }
      expect(existsSync(file) ? readFileSync(file, 'utf8') : null).toBe(after);
    }),
    { numRuns: scaled(60, 1000) },
  );
});
