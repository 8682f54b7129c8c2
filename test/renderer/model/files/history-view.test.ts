import { expect, it } from 'vitest';
import { entryLabel } from '../../../../renderer/model/files/history-view.ts';

it.each([
  ['token', 'Changed through the API'],
  ['mirror', 'Saved in the folder'],
  ['provider', 'Received from the provider'],
  ['remote', 'Received from the remote'],
  ['system', 'Written by Mooring'],
] as const)('a write by a %s says where it was made', (kind, label) => {
  expect(entryLabel({ action: 'write', actor: { kind, name: 'any' } })).toBe(label);
});

it('a restore, a move and a deletion say what they are, whoever made them', () => {
  const actor = { kind: 'token', name: 'any' } as const;
  expect(entryLabel({ action: 'write', actor, restoredFrom: 'rev_3' })).toBe('Restored rev_3');
  expect(entryLabel({ action: 'move', actor, movedFrom: '/a.md' })).toBe('Moved from /a.md');
  expect(entryLabel({ action: 'delete', actor })).toBe('Deleted');
});
