import { expect, test } from 'vitest';
import { pastedId } from '../../../../renderer/model/inbound/pasted-id.ts';

test('a pasted id names its screen, anything else none', () => {
  expect(pastedId(' op_12 ')).toMatchObject({ kind: 'operation', id: 'op_12', screenId: 'operations' });
  expect(pastedId('env_ab12')?.screenId).toBe('dead-letters');
  expect(pastedId('evt_7')?.screenId).toBe('activity');
  expect(pastedId('con_a1b2')?.screenId).toBe('conflicts');
  for (const text of ['', 'op_', 'op_x', '/op_12', 'operation', 'rev_3']) expect(pastedId(text)).toBeNull();
});
