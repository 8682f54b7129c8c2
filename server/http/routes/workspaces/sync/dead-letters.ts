// W/sync/dead-letter: lists, replays and dismisses dead letters.
import { Accepted } from '../../../../contract/common.ts';
import { DeadLetterParams, DeadLettersQueryParameters } from '../../../../contract/parameters.ts';
import {
  DeadLetter,
  DeadLetterAcknowledged,
  DeadLetterPage,
  DeadLetterReplayBody,
  failureCauses,
} from '../../../../contract/sync.ts';
import type { ReplayOutcome } from '../../../../inbound/dead-letters.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { deadLettersLimit } from '../../../base/limits.ts';
import { commandRoute, route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { queryOf } from '../../../plugins/auth.ts';
import { authorityOf } from '../../../request/authority.ts';
import { grantedPage, shownRows } from '../../../request/path-grants.ts';
import { deadLetterRecord } from '../../../wire/records.ts';

const url = '/v1/workspaces/:workspaceId/sync/dead-letter';

export function registerDeadLetters(app: App, dependencies: HttpDependencies): void {
  registerListDeadLetters(app, dependencies);
  registerGetDeadLetter(app, dependencies);
  registerReplayDeadLetter(app, dependencies);
  registerAcknowledgeDeadLetter(app, dependencies);
}

function registerListDeadLetters(app: App, { ingest: { deadLetters }, workspaces }: HttpDependencies): void {
  app.get(
    url,
    route('sync:read', {
      operationId: 'listDeadLetters',
      tag: 'Sync',
      summary: 'List dead letters',
      callers:
        'Scope: `sync:read`; rows outside the token’s path scopes (of this scope and of files) and of files hidden by access rules are omitted.',
      points: [
        'Newest first.',
        'An unknown cause matches nothing. A cursor that is not an envelope id of this workspace: `bad_request`.',
      ],
      query: DeadLettersQueryParameters,
      answers: { 200: jsonAnswer(DeadLetterPage, 'One page.') },
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const named = query.text('cause');
      const cause = failureCauses.find((known) => known === named);
      if (named !== undefined && cause === undefined) {
        return sendJson(reply, DeadLetterPage, 200, { items: [], nextCursor: null });
      }
      const filter = {
        workspaceId: request.params.workspaceId,
        provider: query.text('provider')?.toLowerCase() ?? null,
        cause: cause ?? null,
        text: query.text('text') ?? null,
        failedBeforeMs: null,
        envelopeIds: null,
      };
      const page = await grantedPage({
        shows: shownRows(request, 'sync:read', workspaces, filter.workspaceId),
        limit: query.integer('limit', deadLettersLimit),
        cursor: query.text('cursor') ?? null,
        read: (cursor, limit) => deadLetters.list({ ...filter, cursor, limit }),
        idOf: (row) => row.envelopeId,
      });
      if (page === null)
        throw new ApiError(
          'bad_request',
          'invalid input: the cursor is not an envelope id: use the nextCursor of a page',
        );
      const items = page.items.map(deadLetterRecord);
      return sendJson(reply, DeadLetterPage, 200, { items, nextCursor: page.nextCursor });
    },
  );
}

function registerGetDeadLetter(app: App, { ingest: { deadLetters } }: HttpDependencies): void {
  app.get(
    `${url}/:envelopeId`,
    route('sync:read', {
      operationId: 'getDeadLetter',
      tag: 'Sync',
      summary: 'Get one dead letter',
      points: ['`/detail` returns the complete envelope.'],
      params: DeadLetterParams,
      answers: { 200: jsonAnswer(DeadLetter, 'The dead letter.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, envelopeId } = request.params;
      const row = await deadLetters.get(workspaceId, envelopeId, authorityOf(request, 'sync:read'));
      if (row === null) throw deadLetterNotFound();
      return sendJson(reply, DeadLetter, 200, deadLetterRecord(row));
    },
  );
}

function registerReplayDeadLetter(app: App, { ingest: { deadLetters }, config }: HttpDependencies): void {
  app.post(
    `${url}/:envelopeId/replay`,
    commandRoute('sync:trigger', {
      operationId: 'replayDeadLetter',
      tag: 'Sync',
      summary: 'Replay a dead letter',
      points: [
        'Without a body: unchanged. `payload` replaces the payload; `patch` edits it. The original payload is retained.',
        'Acts with the rights that both the sender and the caller have; with a `payload`, with the rights of the caller only.',
        '404 for a dead letter of a file that the token may not change.',
        'It keeps its time: if a newer event was applied since, it ends as `sync.stale`, unless `overwriteNewer` is true. `/preview` shows the result in advance.',
      ],
      params: DeadLetterParams,
      optionalBody: DeadLetterReplayBody,
      answers: { 202: jsonAnswer(Accepted, 'The envelope is pending.') },
      errors: ['not_found', 'invalid_state', 'rate_limited'],
      config: { longMember: 'content' },
      bodyBytesMax: config.maxBodyBytes,
    }),
    async (request, reply) => {
      const { workspaceId, envelopeId } = request.params;
      const body: DeadLetterReplayBody | undefined = request.body ?? undefined;
      const options = { ...replayOptions(body), by: authorityOf(request) };
      refuseUnreplayed(await deadLetters.replay(workspaceId, envelopeId, options));
      const correlationId = correlationIdOf(request);
      return sendJson(reply, Accepted, 202, { status: 'queued', id: envelopeId, correlationId });
    },
  );
}

function registerAcknowledgeDeadLetter(app: App, { ingest: { deadLetters } }: HttpDependencies): void {
  app.post(
    `${url}/:envelopeId/ack`,
    route('sync:trigger', {
      operationId: 'acknowledgeDeadLetter',
      tag: 'Sync',
      summary: 'Dismiss a dead letter',
      points: [
        'Removes it from the list without applying it; its delivery id remains in use.',
        '404 for a dead letter of a file that the token may not change.',
      ],
      params: DeadLetterParams,
      answers: { 200: jsonAnswer(DeadLetterAcknowledged, 'The dead letter is dismissed.') },
      errors: ['not_found', 'payload_too_large'],
    }),
    async (request, reply) => {
      const { workspaceId, envelopeId } = request.params;
      if (!(await deadLetters.acknowledge(workspaceId, envelopeId, authorityOf(request))))
        throw deadLetterNotFound();
      const correlationId = correlationIdOf(request);
      return sendJson(reply, DeadLetterAcknowledged, 200, {
        status: 'acknowledged',
        id: envelopeId,
        correlationId,
      });
    },
  );
}

/** Also for a preview. */
export function replayOptions(body: DeadLetterReplayBody | undefined) {
  const { payload = null, patch = null, overwriteNewer = false } = body ?? {};
  if (payload !== null && patch !== null) {
    throw new ApiError('bad_request', 'payload and patch exclude each other: send one of them');
  }
  return { payload, patch, overwriteNewer };
}

/** Also for the administrative routes. */
export function refuseUnreplayed(outcome: ReplayOutcome): void {
  if (outcome === 'unknown') throw deadLetterNotFound();
  if (outcome === 'crowded') {
    throw new ApiError(
      'invalid_state',
      'too many different callers have replayed this dead letter: replay it with a payload',
    );
  }
}

export function deadLetterNotFound(): ApiError {
  return new ApiError('not_found', 'dead letter not found');
}
