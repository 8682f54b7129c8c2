// history: the revisions of a path, and the diff between two of them.
import { actorLabel } from '../../../sdk/actor-label.ts';
import type { HistoryEntry } from '../../contract/history.ts';
import { historySpec, type OutputOf } from '../../contract/mcp.ts';
import { budgetOf, fitting } from '../answer-size.ts';
import { cut } from '../tool-error.ts';
import { defineTool } from './tool.ts';

type Output = OutputOf<typeof historySpec>;

const entriesMax = 100;

export const history = defineTool(historySpec, async (input, { client, session, signal }) => {
  const { path, below, diff, from, to, cursor, maxCharacters } = input;
  const budget = budgetOf(maxCharacters);
  const wantsDiff = diff === true || from !== undefined || to !== undefined;
  const compared = wantsDiff
    ? await client.history.diff(session.workspaceId, path, {
        signal,
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      })
    : null;
  const patch = compared?.patch ?? '';
  const shownPatch = cut(patch, Math.floor(budget / 2));
  const read = async (limit: number) =>
    await client.history.page(session.workspaceId, path, {
      limit,
      signal,
      ...(below === undefined ? {} : { below }),
      ...(cursor === undefined ? {} : { cursor }),
    });
  let page = await read(entriesMax);
  const shown = fitting(page.entries.map(shownEntry), budget - shownPatch.length);
  // A page that ends where this answer ends, so that its cursor continues there.
  if (shown.length < page.entries.length) page = await read(shown.length);
  return {
    path: page.path,
    entries: page.entries.map(shownEntry),
    ...(compared === null ? {} : { diff: shownPatch, diffKind: compared.kind }),
    truncated: page.nextCursor !== null || shownPatch.length < patch.length,
    ...(page.nextCursor === null ? {} : { nextCursor: page.nextCursor }),
  };
});

function shownEntry(entry: HistoryEntry): Output['entries'][number] {
  return {
    revision: entry.revision,
    path: entry.path,
    action: entry.action,
    actor: actorLabel({ kind: entry.actor.kind, name: entry.actor.name }),
    ...(entry.actor.client === undefined ? {} : { client: entry.actor.client }),
    at: entry.at,
    batch: entry.batch,
    size: entry.size,
    correlationId: cut(entry.correlationId, 100),
  };
}
