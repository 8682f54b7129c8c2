// W/sync/dead-letter: the complete envelope, the preview of a replay, and bulk replay and dismissal.
import type { FastifyRequest } from 'fastify';
import { grantsScope } from '../../../../auth/scopes.ts';
import { parseTimestamp } from '../../../../auth/webhook-hmac.ts';
import { CorrelationHeaders, DeadLetterParams, WorkspaceParams } from '../../../../contract/parameters.ts';
import {
  DeadLetterBulkAckBody,
  DeadLetterBulkReplayBody,
  DeadLetterBulkResult,
  DeadLetterDetail,
  type DeadLetterFilter,
  DeadLetterPreview,
  DeadLetterReplayBody,
} from '../../../../contract/sync.ts';
import { normalizeReadPath } from '../../../../workspaces/model.ts';
import type { WorkspaceService } from '../../../../workspaces/service.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import {
  type App,
  bearer,
  describeRoute,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../base/routing.ts';
import { callerOf } from '../../../plugins/auth.ts';
import { optionalBody } from '../../../plugins/bodies.ts';
import { authorityOf } from '../../../request/authority.ts';
import { coversPath, pathGrant } from '../../../request/path-grants.ts';
import { deadLetterBulkResult, deadLetterDetail, deadLetterPreview } from '../../../wire/records.ts';
import { deadLetterNotFound, replayOptions } from './dead-letters.ts';

const url = '/v1/workspaces/:workspaceId/sync/dead-letter';
const readAccess = { kind: 'workspace', scope: 'sync:read', path: 'none' } as const;
const changeAccess = { kind: 'workspace', scope: 'sync:trigger', path: 'none' } as const;

export function registerDeadLetterRepair(app: App, dependencies: HttpDependencies): void {
  registerGetDeadLetterDetail(app, dependencies);
  registerPreviewDeadLetter(app, dependencies);
  registerReplayDeadLetters(app, dependencies);
  registerAcknowledgeDeadLetters(app, dependencies);
}

function registerGetDeadLetterDetail(app: App, { ingest, workspaces }: HttpDependencies): void {
  const { deadLetters } = ingest;
  app.get(
    `${url}/:envelopeId/detail`,
    {
      config: { access: readAccess },
      schema: {
        operationId: 'getDeadLetterDetail',
        tags: ['Sync'],
        summary: 'Get an envelope with its attempts',
        description: describeRoute(
          'Scope: `sync:read`, and `fs:read` of its path.',
          'Also for a replayed or dismissed envelope while it is retained.',
        ),
        security: bearer,
        params: DeadLetterParams,
        headers: CorrelationHeaders,
        response: {
          200: jsonAnswer(DeadLetterDetail, 'The envelope.'),
          ...errorAnswers([...workspaceErrors, 'not_found']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, envelopeId } = request.params;
      const detail = await deadLetters.detail(workspaceId, envelopeId);
      if (detail === null || !coversPath(pathGrant(request, 'sync:read'), detail.row.path)) {
        throw deadLetterNotFound();
      }
      for (const path of detail.paths) await requireContentAccess(request, workspaces, path);
      return sendJson(reply, DeadLetterDetail, 200, deadLetterDetail(detail));
    },
  );
}

function registerPreviewDeadLetter(app: App, { ingest, workspaces, config }: HttpDependencies): void {
  const { deadLetters } = ingest;
  app.post(
    `${url}/:envelopeId/preview`,
    {
      bodyLimit: config.maxBodyBytes,
      config: { access: readAccess },
      schema: {
        operationId: 'previewDeadLetter',
        tags: ['Sync'],
        summary: 'Preview the replay of a dead letter',
        description: describeRoute(
          'Scope: `sync:read`, and `fs:read` of its path.',
          'Takes the body of a replay and changes nothing.',
          '`stale`: a newer event was applied at `newerAppliedAt`; only `overwriteNewer` would replace it.',
        ),
        security: bearer,
        params: DeadLetterParams,
        headers: CorrelationHeaders,
        body: { ...DeadLetterReplayBody, ...optionalBody },
        response: {
          200: jsonAnswer(DeadLetterPreview, 'The result of a replay.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'payload_too_large', 'rate_limited']),
        },
      },
    },
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

function registerReplayDeadLetters(app: App, { ingest }: HttpDependencies): void {
  const { deadLetters } = ingest;
  app.post(
    `${url}/replay`,
    {
      config: { access: changeAccess },
      schema: {
        operationId: 'replayDeadLetters',
        tags: ['Sync'],
        summary: 'Replay many dead letters',
        description: describeRoute(
          'Scope: `sync:trigger`.',
          'Applies to all dead letters that match the filter, at most 1,000 per request, in the order of arrival.',
          '`patch` edits each of them.',
          'With `dryRun`, they are only counted.',
        ),
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        body: { ...DeadLetterBulkReplayBody, ...optionalBody },
        response: {
          200: jsonAnswer(DeadLetterBulkResult, 'Number of matches, and of pending replays.'),
          ...errorAnswers([...workspaceErrors, 'payload_too_large', 'rate_limited']),
        },
      },
    },
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

function registerAcknowledgeDeadLetters(app: App, { ingest }: HttpDependencies): void {
  const { deadLetters } = ingest;
  app.post(
    `${url}/ack`,
    {
      config: { access: changeAccess },
      schema: {
        operationId: 'acknowledgeDeadLetters',
        tags: ['Sync'],
        summary: 'Dismiss many dead letters',
        description: describeRoute(
          'Scope: `sync:trigger`.',
          'Applies to all dead letters that match the filter, at most 1,000 per request.',
          'With `dryRun`, they are only counted.',
        ),
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        body: { ...DeadLetterBulkAckBody, ...optionalBody },
        response: {
          200: jsonAnswer(DeadLetterBulkResult, 'Number of matches, and of dismissed dead letters.'),
          ...errorAnswers([...workspaceErrors, 'payload_too_large', 'rate_limited']),
        },
      },
    },
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
