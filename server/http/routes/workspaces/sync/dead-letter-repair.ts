// W/sync/dead-letter: the complete envelope, the preview of a replay, and bulk replay and dismissal.
import type { FastifyRequest } from 'fastify';
import { grantsScope } from '../../../../auth/scopes.ts';
import { parseTimestamp } from '../../../../auth/webhook-hmac.ts';
import { DeadLetterParams } from '../../../../contract/parameters.ts';
import {
  DeadLetterBulkAckBody,
  DeadLetterBulkReplayBody,
  DeadLetterBulkResult,
  DeadLetterDetail,
  type DeadLetterFilter,
  DeadLetterPreview,
  DeadLetterReplayBody,
} from '../../../../contract/sync.ts';
import { jsonPieces } from '../../../../platform/json/write-in-slices.ts';
import { normalizeReadPath } from '../../../../workspaces/model.ts';
import type { WorkspaceService } from '../../../../workspaces/service.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandRoute, route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf } from '../../../plugins/auth.ts';
import { authorityOf } from '../../../request/authority.ts';
import { sendJsonStream } from '../../../request/json-stream.ts';
import { coversPath, pathGrant } from '../../../request/path-grants.ts';
import { deadLetterBulkResult, deadLetterDetail, deadLetterPreview } from '../../../wire/records.ts';
import { deadLetterNotFound, replayOptions } from './dead-letters.ts';

const url = '/v1/workspaces/:workspaceId/sync/dead-letter';

export function registerDeadLetterRepair(app: App, dependencies: HttpDependencies): void {
  registerGetDeadLetterDetail(app, dependencies);
  registerPreviewDeadLetter(app, dependencies);
  registerReplayDeadLetters(app, dependencies);
  registerAcknowledgeDeadLetters(app, dependencies);
}

function registerGetDeadLetterDetail(
  app: App,
  { ingest: { deadLetters }, workspaces }: HttpDependencies,
): void {
  app.get(
    `${url}/:envelopeId/detail`,
    route('sync:read', {
      operationId: 'getDeadLetterDetail',
      tag: 'Sync',
      summary: 'Get an envelope with its attempts',
      callers: 'Scope: `sync:read`, and `fs:read` of its path.',
      points: ['Also for a replayed or dismissed envelope while it is retained.'],
      params: DeadLetterParams,
      answers: { 200: jsonAnswer(DeadLetterDetail, 'The envelope.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, envelopeId } = request.params;
      const detail = await deadLetters.detail(workspaceId, envelopeId);
      if (detail === null || !coversPath(pathGrant(request, 'sync:read'), detail.row.path)) {
        throw deadLetterNotFound();
      }
      for (const path of detail.paths) await requireContentAccess(request, workspaces, path);
      const body = deadLetterDetail(detail);
      if (detail.row.isLong) return sendJsonStream(reply, jsonPieces(body));
      return sendJson(reply, DeadLetterDetail, 200, body);
    },
  );
}

function registerPreviewDeadLetter(
  app: App,
  { ingest: { deadLetters }, workspaces, config }: HttpDependencies,
): void {
  app.post(
    `${url}/:envelopeId/preview`,
    commandRoute('sync:read', {
      operationId: 'previewDeadLetter',
      tag: 'Sync',
      summary: 'Preview the replay of a dead letter',
      callers: 'Scope: `sync:read`, and `fs:read` of its path.',
      points: [
        'Takes the body of a replay and changes nothing.',
        '`stale`: a newer event was applied at `newerAppliedAt`; only `overwriteNewer` would replace it.',
      ],
      params: DeadLetterParams,
      optionalBody: DeadLetterReplayBody,
      answers: { 200: jsonAnswer(DeadLetterPreview, 'The result of a replay.') },
      errors: ['not_found', 'rate_limited'],
      config: { longMember: 'content' },
      bodyBytesMax: config.maxBodyBytes,
    }),
    async (request, reply) => {
      const { workspaceId, envelopeId } = request.params;
      const body: DeadLetterReplayBody | undefined = request.body ?? undefined;
      const by = authorityOf(request, 'sync:read');
      const row = await deadLetters.get(workspaceId, envelopeId, by);
      if (row === null) throw deadLetterNotFound();
      await requireContentAccess(request, workspaces, row.path);
      const result = await deadLetters.preview(workspaceId, envelopeId, {
        ...replayOptions(body),
        by,
      });
      if (result === null || result.outcome === 'gone') throw deadLetterNotFound();
      if (result.outcome === 'applied') {
        // An edited payload can name other files, and the preview returns their content.
        for (const path of [result.path, result.movedFrom]) {
          if (path !== null) await requireContentAccess(request, workspaces, path);
        }
      }
      return sendJson(reply, DeadLetterPreview, 200, deadLetterPreview(result));
    },
  );
}

function registerReplayDeadLetters(app: App, { ingest: { deadLetters } }: HttpDependencies): void {
  app.post(
    `${url}/replay`,
    route('sync:trigger', {
      operationId: 'replayDeadLetters',
      tag: 'Sync',
      summary: 'Replay many dead letters',
      points: [
        'Applies to all dead letters that match the filter, at most 1,000 per request, in the order of arrival.',
        '`patch` edits each of them.',
        'With `dryRun`, they are only counted.',
      ],
      optionalBody: DeadLetterBulkReplayBody,
      answers: { 200: jsonAnswer(DeadLetterBulkResult, 'Number of matches, and of pending replays.') },
      errors: ['payload_too_large', 'rate_limited'],
    }),
    async (request, reply) => {
      const body: DeadLetterBulkReplayBody | undefined = request.body ?? undefined;
      const outcome = await deadLetters.replayMany(request.params.workspaceId, filterOf(body?.filter), {
        patch: body?.patch ?? null,
        overwriteNewer: body?.overwriteNewer ?? false,
        by: authorityOf(request),
        dryRun: body?.dryRun ?? false,
      });
      return sendJson(reply, DeadLetterBulkResult, 200, deadLetterBulkResult(outcome));
    },
  );
}

function registerAcknowledgeDeadLetters(app: App, { ingest: { deadLetters } }: HttpDependencies): void {
  app.post(
    `${url}/ack`,
    route('sync:trigger', {
      operationId: 'acknowledgeDeadLetters',
      tag: 'Sync',
      summary: 'Dismiss many dead letters',
      points: [
        'Applies to all dead letters that match the filter, at most 1,000 per request.',
        'With `dryRun`, they are only counted.',
      ],
      optionalBody: DeadLetterBulkAckBody,
      answers: { 200: jsonAnswer(DeadLetterBulkResult, 'Number of matches, and of dismissed dead letters.') },
      errors: ['payload_too_large', 'rate_limited'],
    }),
    async (request, reply) => {
      const body: DeadLetterBulkAckBody | undefined = request.body ?? undefined;
      const outcome = await deadLetters.acknowledgeMany(request.params.workspaceId, filterOf(body?.filter), {
        by: authorityOf(request),
        dryRun: body?.dryRun ?? false,
      });
      return sendJson(reply, DeadLetterBulkResult, 200, deadLetterBulkResult(outcome));
    },
  );
}

/** A payload contains the content of a file, so it requires read access to that file. */
async function requireContentAccess(
  request: FastifyRequest<{ Params: { workspaceId: string } }>,
  workspaces: WorkspaceService,
  path: string | null,
): Promise<void> {
  const { token, access } = callerOf(request);
  if (token.owner) return;
  const named = normalizeReadPath(path ?? '/');
  if (!grantsScope(token.scopes, 'fs:read', named)) {
    throw new ApiError('forbidden', 'missing required scope: fs:read');
  }
  const { allowed } = await workspaces.getFile(request.params.workspaceId, named, access);
  if (!allowed) throw new ApiError('forbidden', 'access denied by ACL');
}

function filterOf(filter: DeadLetterFilter | undefined) {
  const failedBeforeMs = filter?.failedBefore === undefined ? null : parseTimestamp(filter.failedBefore);
  if (filter?.failedBefore !== undefined && failedBeforeMs === null) {
    throw new ApiError('bad_request', "missing or invalid 'filter.failedBefore' field");
  }
  return {
    provider: filter?.provider?.toLowerCase() ?? null,
    cause: filter?.cause ?? null,
    text: filter?.text || null,
    failedBeforeMs,
    envelopeIds: filter?.envelopeIds ?? null,
  };
}
