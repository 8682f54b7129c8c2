import { expect, it } from 'vitest';
import { actorView, hueOf, initialsOf } from '../../../renderer/model/actor-view.ts';

it('the author of a change has a kind: programs, people of a hub, the folder, providers', () => {
  const viewOf = (kind: 'token' | 'mirror' | 'provider', name: string) =>
    actorView({ actor: { kind, name } });
  expect(viewOf('token', 'docs-agent')).toEqual({ kind: 'agent', name: 'docs-agent' });
  expect(viewOf('token', 'anna/laptop')).toEqual({ kind: 'person', name: 'anna (laptop)' });
  expect(viewOf('mirror', 'maria')).toEqual({ kind: 'folder', name: 'maria (folder)' });
  expect(viewOf('provider', 'notion')).toEqual({ kind: 'provider', name: 'notion' });
});

it('a name always has the same of six hues; folder, providers and Mooring are grey', () => {
  const hue = hueOf({ kind: 'agent', name: 'docs-agent' });
  expect(hueOf({ kind: 'person', name: 'docs-agent' })).toBe(hue);
  const all = Array.from({ length: 200 }, (_, index) => hueOf({ kind: 'agent', name: `agent-${index}` }));
  expect(new Set(all)).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  expect(hueOf({ kind: 'folder', name: 'maria (folder)' })).toBe(0);
});

it('initials are those of two names, or two letters of one', () => {
  expect(initialsOf('Ana Ruiz')).toBe('AR');
  expect(initialsOf('anna (laptop)')).toBe('AN');
  expect(initialsOf('\u00e9lo\u00efse')).toBe('\u00c9L');
  expect(initialsOf('x')).toBe('X');
});
