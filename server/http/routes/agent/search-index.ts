// GET /v1/agent/search-index and POST /v1/agent/search-index/rebuild: the state of the search index, and its rebuild.
import { SearchIndexStatus } from '../../../contract/search.ts';
import { type IndexStatus, SearchUnavailableError } from '../../../search/search-query.ts';
import { refusingAs } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { eventId } from '../../wire/records.ts';

const url = '/v1/agent/search-index';
const unavailable = refusingAs([SearchUnavailableError, 'unavailable']);

export function registerSearchIndex(app: App, { search }: HttpDependencies): void {
  app.get(
    url,
    route('owner', {
      operationId: 'getSearchIndex',
      tag: 'Agent',
      summary: 'Get the state of the search index',
      points: ['How far it is, and its size on the disk.'],
      answers: { 200: jsonAnswer(SearchIndexStatus, 'The state.') },
    }),
    async (_request, reply) =>
      sendJson(reply, SearchIndexStatus, 200, indexStatus(await search.status().catch(unavailable))),
  );
  app.post(
    `${url}/rebuild`,
    route('owner', {
      operationId: 'rebuildSearchIndex',
      tag: 'Agent',
      summary: 'Rebuild the search index',
      points: [
        'Discards the index and builds it again. Searches are answered meanwhile and are not complete.',
      ],
      answers: { 200: jsonAnswer(SearchIndexStatus, 'The state of the new index.') },
    }),
    async (_request, reply) => {
      await search.rebuild().catch(unavailable);
      return sendJson(reply, SearchIndexStatus, 200, indexStatus(await search.status().catch(unavailable)));
    },
  );
}

function indexStatus({ indexedThrough, ...status }: IndexStatus): SearchIndexStatus {
  return { ...status, indexedThrough: eventId(indexedThrough) };
}
