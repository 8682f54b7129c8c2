import { expect, it } from 'vitest';
import {
  type ExplainedMirror,
  explainedStatus,
  observedRows,
} from '../../../../renderer/model/mirror/explain-view.ts';

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
    { where: 'Last synced', what: null, contentHash: null },
  ]);
  expect(observedRows({ base: null, folder: { kind: 'unreadable' }, workspace: null })).toMatchObject([
    { what: 'unreadable', contentHash: null },
    { what: null },
    { what: null },
  ]);
});

it('a state reads as the list of files has it', () => {
  const status = (state: ExplainedMirror['state'], rule: string, mode: ExplainedMirror['mode'] = 'two-way') =>
    explainedStatus({ state, rule, mode }).word;
  expect(explainedStatus({ state: 'same', rule: 'equal', mode: 'two-way' })).toEqual({
    kind: 'ok',
    word: 'Up to date',
  });
  expect(status('on_its_way', 'folder_edited')).toBe('Uploading');
  expect(status('on_its_way', 'workspace_edited')).toBe('Downloading');
  expect(status('on_its_way', 'folder_deleted', 'to-folder')).toBe('Downloading');
  expect(status('waiting', 'workspace_edited')).toBe('Not synced');
  expect(status('conflict', 'both_edited')).toBe('Conflict');
});
