// search: files by content or name, with the matching lines.
import type { SearchItem, SearchOptions, SearchResult } from '../../../sdk/index.ts';
import { searchSpec } from '../../contract/mcp.ts';
import { budgetOf, fitting } from '../answer-size.ts';
import { searchFilesPerAnswer, searchWaitMs } from '../limits.ts';
import { onlyRoot } from '../only-root.ts';
import { inRun, optionsOf } from '../run-of-call.ts';
import { defineTool } from './tool.ts';

export const search = defineTool(searchSpec, async (input, outside) => {
  const call = await inRun(outside, input.runId);
  const { client, session } = call;
  const { query, mode, glob, caseSensitive, context, cursor, maxCharacters } = input;
  const path = input.path ?? onlyRoot(session.roots);
  const budget = budgetOf(maxCharacters);
  const page = async (limit: number): Promise<SearchResult> =>
    await client.searches.page(session.workspaceId, query, {
      path,
      limit,
      waitMs: searchWaitMs,
      ...optionsOf(call),
      ...(mode === undefined ? {} : { mode: mode as NonNullable<SearchOptions['mode']> }),
      ...(glob === undefined ? {} : { glob }),
      ...(caseSensitive === undefined ? {} : { caseSensitive }),
      ...(context === undefined ? {} : { context }),
      ...(cursor === undefined ? {} : { cursor }),
    });
  let found = await page(searchFilesPerAnswer);
  let shown = fitting(
    found.items.map((item) => fileOf(item, budget)),
    budget,
  );
  if (shown.length < found.items.length) {
    // A page that ends where this answer ends, so that its cursor continues there.
    found = await page(shown.length);
    shown = found.items.map((item) => fileOf(item, budget));
  }
  return {
    files: [...shown],
    truncated: found.nextCursor !== null,
    ...(found.nextCursor === null ? {} : { nextCursor: found.nextCursor }),
    ...(found.incomplete === undefined ? {} : { incomplete: found.incomplete }),
  };
});

/** With as many lines as half of the answer holds. */
function fileOf({ path, revision, matches, moreMatches }: SearchItem, budget: number) {
  const lines = matches.map(({ line, text, before, after }) => ({
    line,
    text,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  }));
  const shown = fitting(lines, Math.floor(budget / 2));
  return { path, revision, matches: [...shown], moreMatches: moreMatches || shown.length < lines.length };
}
