// GET W/fs/search: searches contents and paths.
import { SearchQueryParameters } from '../../../../contract/parameters.ts';
import { SearchResult } from '../../../../contract/search.ts';
import {
  SearchBusyError,
  type SearchMode,
  type SearchQuery,
  SearchQueryError,
  SearchUnavailableError,
  searchModes,
} from '../../../../search/search-query.ts';
import { ApiError, refusingAs } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { searchContext, searchLimit, searchWaitMs } from '../../../base/limits.ts';
import type { Query } from '../../../base/query.ts';
import { route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJsonText } from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { forkErrors, listableFiles } from '../../../request/fork-access.ts';
import { whileConnected } from '../../../request/while-connected.ts';
import { listedPath, listingAccess, listsPathOnly } from '../../../wire/listing.ts';

const retryAfterSeconds = 1;

export function registerSearch(app: App, dependencies: HttpDependencies): void {
  app.get(
    '/v1/workspaces/:workspaceId/fs/search',
    route(listingAccess, {
      operationId: 'searchFiles',
      tag: 'Files',
      summary: 'Search contents and paths',
      points: [
        'Matches are within lines of UTF-8 text of at most `textBytesMax` bytes. Other files are found with `mode=name`.',
        'The index finds candidates; each answer is checked against the current file and the access rules.',
        'The best matches first, among some hundred candidates at a time, the newest contents before older ones. The score depends on the file and its path alone.',
        'A page can be short, or empty, and still have a `nextCursor`.',
        '`wait` finds what was written just before. Past states cannot be searched: `at` is refused.',
      ],
      query: SearchQueryParameters,
      answers: { 200: jsonAnswer(SearchResult, 'One page of files.') },
      errors: [...forkErrors, 'rate_limited'],
      config: { forks: true },
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const path = listedPath(query);
      const { workspaceId } = request.params;
      await listableFiles(dependencies, request, workspaceId, path);
      const { access } = callerOf(request);
      const asked = searchOf(query, { workspaceId, path, access, pathOnly: listsPathOnly(request, path) });
      const json = await dependencies.search
        .search(asked, whileConnected(reply))
        .catch(asBusy)
        .catch(refusingAs([SearchQueryError, 'bad_request'], [SearchUnavailableError, 'unavailable']));
      return sendJsonText(reply, 200, json);
    },
  );
}

function asBusy(error: unknown): never {
  if (error instanceof SearchBusyError)
    throw new ApiError('rate_limited', error.message, { retryAfterSeconds });
  throw error;
}

function searchOf(
  query: Query,
  place: Pick<SearchQuery, 'workspaceId' | 'path' | 'access' | 'pathOnly'>,
): SearchQuery {
  if (query.first('at') !== undefined)
    throw new ApiError('bad_request', 'past states cannot be searched: omit at');
  const q = query.text('q');
  if (q === undefined) throw new ApiError('bad_request', 'missing q query');
  const changedSince = query.text('changedSince');
  return {
    ...place,
    q,
    mode: modeOf(query),
    glob: query.text('glob') ?? null,
    provider: query.text('provider')?.toLowerCase() ?? null,
    changedSinceMs: changedSince === undefined ? null : timeMs(changedSince),
    limit: query.integer('limit', searchLimit),
    cursor: query.text('cursor') ?? null,
    context: query.integer('context', searchContext),
    caseSensitive: isCaseSensitive(query),
    forkId: query.first('forkId') ?? null,
    waitMs: query.integer('wait', searchWaitMs),
  };
}

function isCaseSensitive(query: Query): boolean {
  const value = query.text('caseSensitive') ?? 'false';
  if (value !== 'true' && value !== 'false')
    throw new ApiError('bad_request', 'invalid caseSensitive: use true or false');
  return value === 'true';
}

function timeMs(text: string): number {
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) throw new ApiError('bad_request', 'invalid changedSince: use an RFC 3339 time');
  return atMs;
}

function modeOf(query: Query): SearchMode {
  const mode = query.text('mode') ?? 'text';
  const known = searchModes.find((name) => name === mode);
  if (known === undefined)
    throw new ApiError(
      'bad_request',
      `unsupported mode "${mode}" (must be one of: ${searchModes.join(', ')})`,
    );
  return known;
}
