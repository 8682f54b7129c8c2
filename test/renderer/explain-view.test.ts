import { expect, it } from 'vitest';
import { explainedStatus, observedRows } from '../../renderer/model/explain-view.ts';

it('each side is told with what stands there, and with nothing where nothing does', () => {
  expect(
    observedRows({
      base: null,
      folder: { kind: 'file', contentHash: 'aa', size: 1_200 },
      workspace: { contentHash: 'bb', revision: 'rev_4', size: 3 },
    }),
  ).toEqual([
    { where: 'Folder', what: 'file · 1.2 KB', contentHash: 'aa' },
    { where: 'Workspace', what: 'rev_4 · 3 B', contentHash: 'bb' },
    { where: 'Both had', what: null, contentHash: null },
  ]);
  expect(observedRows({ base: null, folder: { kind: 'unreadable' }, workspace: null })).toMatchObject([
    { what: 'unreadable', contentHash: null },
    { what: null },
    { what: null },
  ]);
});

it('a state reads as the list of files has it', () => {
  expect(explainedStatus({ state: 'same' })).toEqual({ kind: 'ok', word: 'Same' });
  expect(explainedStatus({ state: 'conflict' }).kind).toBe('warn');
});
