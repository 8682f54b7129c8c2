import { expect, it } from 'vitest';
import { recentRows } from '../../../../renderer/model/inbound/recent-rows.ts';
import type { EventFrame, EventType } from '../../../../server/contract/events.ts';

const event = (
  path: string,
  correlationId: string,
  type: EventType = 'file.created',
  workspaceId = 'rw_a',
) => ({
  workspaceId,
  frame: { path, correlationId, type } as EventFrame,
});
const shown = (events: readonly ReturnType<typeof event>[], max = 10) =>
  recentRows(events, max).map(({ path, files }) => `${files} ${path}`);

it('what one request did to several files is one row, with the folder that has all of them', () => {
  expect(
    shown([
      event('/notes/a.md', 'one'),
      event('/docs/guides/b.md', 'two'),
      event('/docs/guides/deep/c.md', 'two'),
      event('/docs/d.md', 'two'),
      event('/docs/d.md', 'three', 'file.updated'),
    ]),
  ).toEqual(['1 /notes/a.md', '3 /docs', '1 /docs/d.md']);
});

it('other requests, verbs and workspaces are rows of their own, and so are two changes of one file', () => {
  expect(shown([event('/a.md', 'one'), event('/b.md', 'one', 'file.deleted')])).toHaveLength(2);
  expect(shown([event('/a.md', 'one'), event('/b.md', 'one', 'file.created', 'rw_b')])).toHaveLength(2);
  expect(shown([event('/a.md', 'one'), event('/a.md', 'one')])).toHaveLength(2);
  expect(shown([event('/a.md', ''), event('/b.md', '')])).toHaveLength(2);
  expect(shown([event('/a.md', 'one'), event('/b.md', 'one')])).toEqual(['2 /']);
});

it('events of the sync are left out, and a row that is full still counts its files', () => {
  expect(shown([event('/a.md', 'one', 'sync.suppressed'), event('/b.md', 'two')])).toEqual(['1 /b.md']);
  expect(shown([event('/x/a.md', 'one'), event('/x/b.md', 'one'), event('/c.md', 'two')], 1)).toEqual([
    '2 /x',
  ]);
});
