import { expect, test } from 'vitest';
import { pastedIds } from '../../../../renderer/model/inbound/pasted-id.ts';

const screensOf = (text: string) => pastedIds(text).map(({ id, screenId }) => `${screenId} ${id}`);

test('a pasted id names its screen, anything else none', () => {
  expect(pastedIds(' op_12 ')).toMatchObject([{ kind: 'operation', id: 'op_12', screenId: 'operations' }]);
  expect(screensOf('env_ab12')).toEqual(['dead-letters env_ab12']);
  expect(screensOf('evt_7')).toEqual(['activity evt_7']);
  expect(screensOf('con_a1b2')).toEqual(['conflicts con_a1b2']);
  for (const text of ['', '#', 'op_', 'op_x', '/op_12', 'operation', 'rev_3', '12'])
    expect(screensOf(text)).toEqual([]);
});

test('after # an id, a number of an operation or event, or a correlation id', () => {
  expect(screensOf('#op_12')).toEqual(['operations op_12']);
  const ofCorrelation = (id: string) => ['operations', 'activity', 'logs'].map((screen) => `${screen} ${id}`);
  expect(screensOf('# audit-7')).toEqual(ofCorrelation('audit-7'));
  expect(screensOf('#12')).toEqual(['operations op_12', 'activity evt_12', ...ofCorrelation('12')]);
});
