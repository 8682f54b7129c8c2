// history: the revisions of a path, and the diff between two of them.
import { actorLabel } from '../../../sdk/actor-label.ts';
import { historySpec } from '../../contract/mcp.ts';
import { budgetOf, fitting } from '../answer-size.ts';
import { cut } from '../tool-error.ts';
import { defineTool } from './tool.ts';

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
  const limit = Math.min(entriesMax, Math.max(1, Math.floor((budget - shownPatch.length) / 300)));
  const page = await client.history.page(session.workspaceId, path, {
    limit,
    signal,
    ...(below === undefined ? {} : { below }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const entries = page.entries.map((entry) => ({
    revision: entry.revision,
    path: entry.path,
    action: entry.action,
    actor: actorLabel({ kind: entry.actor.kind, name: entry.actor.name }),
    ...(entry.actor.client === undefined ? {} : { client: entry.actor.client }),
    at: entry.at,
    batch: entry.batch,
    size: entry.size,
    correlationId: cut(entry.correlationId, 100),
  }));
  return {
    path: page.path,
    entries: [...fitting(entries, Number.POSITIVE_INFINITY)],
    ...(compared === null ? {} : { diff: shownPatch, diffKind: compared.kind }),
    truncated: page.nextCursor !== null || shownPatch.length < patch.length,
    ...(page.nextCursor === null ? {} : { nextCursor: page.nextCursor }),
  };
});
