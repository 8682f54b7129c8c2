// W/writeback: what an external consumer has still to carry to its provider, and its word that it did or could not.
import {
  SweepDraftsBody,
  SweptDrafts,
  WritebackAckBody,
  WritebackAcknowledged,
  WritebackCanceled,
  WritebackItemList,
  WritebackPreview,
} from '../../../../contract/operations.ts';
import { CorrelationHeaders, WorkspaceParams, WritebackItemParams } from '../../../../contract/parameters.ts';
import { BadPatternError, DeleteQuotaError } from '../../../../outbound/operations/draft-sweep.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import {
  commandBodyBytesMax,
  deleteQuotaRetryAfterSeconds,
  writebackPendingMax,
} from '../../../base/limits.ts';
import {
  type App,
  bearer,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../base/routing.ts';
import { optionalBody } from '../../../plugins/bodies.ts';
import { authorityOf } from '../../../request/authority.ts';
import { grantedPage, shownRows } from '../../../request/path-grants.ts';
import { writebackPreview } from '../../../wire/operations.ts';
import { writebackItem } from '../../../wire/records.ts';

export function registerWriteback(app: App, dependencies: HttpDependencies): void {
  registerListPendingWritebacks(app, dependencies);
  registerAcknowledgeWriteback(app, dependencies);
  registerPreviewWriteback(app, dependencies);
  registerCancelWriteback(app, dependencies);
  registerSweep(app, dependencies);
}

function registerListPendingWritebacks(app: App, { operations, workspaces }: HttpDependencies): void {
  app.get(
    '/v1/workspaces/:workspaceId/writeback/pending',
    {
      config: { access: { kind: 'workspace', scope: 'sync:read', path: 'none' } },
      schema: {
        operationId: 'listPendingWritebacks',
        tags: ['Writeback'],
        summary: 'List outbound items',
        description:
          'Scope: `sync:read`; items of paths that a path of it, or of the token’s grants of files, does not cover, and of files that access rules hide, are left out. Items that wait for their provider, oldest first, at most 1,000; acknowledge some to see more.',
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        response: {
          200: jsonAnswer(WritebackItemList, 'The items.'),
          ...errorAnswers(workspaceErrors),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.params;
      const page = await grantedPage({
        shows: shownRows(request, 'sync:read', workspaces, workspaceId),
        limit: writebackPendingMax,
        cursor: null,
        async read(afterOpId, limit) {
          const rows = await operations.pending(workspaceId, limit + 1, afterOpId);
          return { items: rows.slice(0, limit), more: rows.length > limit };
        },
        idOf: (row) => row.opId,
      });
      return sendJson(reply, WritebackItemList, 200, page?.items.map(writebackItem) ?? []);
    },
  );
}

function registerAcknowledgeWriteback(app: App, { transitions }: HttpDependencies): void {
  app.post(
    '/v1/workspaces/:workspaceId/writeback/:itemId/ack',
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'workspace', scope: 'sync:trigger', path: 'none' } },
      schema: {
        operationId: 'acknowledgeWriteback',
        tags: ['Writeback'],
        summary: 'Acknowledge an outbound item',
        description:
          'Scope: `sync:trigger`. No body means success. A failure dead-letters the item at once. With `externalId` or `canonicalPath` the file that was written under a draft name moves to the name that its provider gave it, if nothing is there and the token may change both paths, which counts as a deletion of the first against its quota; `draft` says what was done. An item of a file that the token may not change is not found. Repeating an acknowledgement changes nothing.',
        security: bearer,
        params: WritebackItemParams,
        headers: CorrelationHeaders,
        body: { ...WritebackAckBody, ...optionalBody },
        response: {
          200: jsonAnswer(WritebackAcknowledged, 'It is acknowledged.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'payload_too_large', 'delete_storm_rejected']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, itemId } = request.params;
      const body: WritebackAckBody | undefined = request.body ?? undefined;
      const success = body === undefined ? true : body.success;
      if (typeof success !== 'boolean') throw new ApiError('bad_request', 'success must be a boolean');
      const correlationId = correlationIdOf(request);
      const acknowledging = transitions.acknowledge(workspaceId, itemId, {
        success,
        error: body?.error ?? null,
        externalId: body?.externalId || null,
        canonicalPath: body?.canonicalPath || null,
        providerResult: body?.providerResult ?? null,
        correlationId,
        by: authorityOf(request),
      });
      const acknowledged = await acknowledging.catch(refused);
      if (acknowledged === null) throw itemNotFound(itemId);
      return sendJson(reply, WritebackAcknowledged, 200, {
        status: 'acknowledged',
        id: itemId,
        correlationId,
        success,
        ...(acknowledged.draft === null ? {} : { draft: acknowledged.draft }),
      });
    },
  );
}

function registerPreviewWriteback(app: App, { operations }: HttpDependencies): void {
  app.get(
    '/v1/workspaces/:workspaceId/writeback/:itemId/preview',
    {
      config: { access: { kind: 'owner-workspace' } },
      schema: {
        operationId: 'previewWriteback',
        tags: ['Writeback'],
        summary: 'What an item would send',
        description:
          'Owner or UI token, since it shows content. Nothing is sent: the difference to what the provider has, and the request without its signature.',
        security: bearer,
        params: WritebackItemParams,
        headers: CorrelationHeaders,
        response: {
          200: jsonAnswer(WritebackPreview, 'What would be sent.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'rate_limited', 'unavailable']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, itemId } = request.params;
      const preview = await operations.preview(workspaceId, itemId, null);
      if (preview === null) throw itemNotFound(itemId);
      return sendJson(reply, WritebackPreview, 200, writebackPreview(preview));
    },
  );
}

function registerCancelWriteback(app: App, { transitions }: HttpDependencies): void {
  app.post(
    '/v1/workspaces/:workspaceId/writeback/:itemId/cancel',
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'workspace', scope: 'sync:trigger', path: 'none' } },
      schema: {
        operationId: 'cancelWriteback',
        tags: ['Writeback'],
        summary: 'Do not send an item',
        description:
          'Scope: `sync:trigger`. A pending item becomes `canceled` and is never sent; the file stays as it is. In any other status: `invalid_state`.',
        security: bearer,
        params: WritebackItemParams,
        headers: CorrelationHeaders,
        response: {
          200: jsonAnswer(WritebackCanceled, 'It is not sent.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'invalid_state', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, itemId } = request.params;
      const correlationId = correlationIdOf(request);
      const outcome = await transitions.cancel(workspaceId, itemId, {
        correlationId,
        by: authorityOf(request),
      });
      if (outcome === 'unknown') throw itemNotFound(itemId);
      if (outcome === 'invalid_state') throw new ApiError('invalid_state', `${itemId} is not pending`);
      return sendJson(reply, WritebackCanceled, 200, { status: 'canceled', id: itemId, correlationId });
    },
  );
}

function registerSweep(app: App, { sweepDrafts }: HttpDependencies): void {
  app.post(
    '/v1/workspaces/:workspaceId/writeback/sweep-drafts',
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'workspace', scope: 'sync:trigger', path: 'none' } },
      schema: {
        operationId: 'sweepWritebackDrafts',
        tags: ['Writeback'],
        summary: 'Remove drafts that were left behind',
        description:
          'Scope: `sync:trigger`. Drafts that were carried to their provider and never got a name of their own: `<resource> <uuid>.json`, and names that match a given pattern. Only files that were made here, that their provider took over as they are and gave no id, and that the token may delete: its paths, the access rules and its delete quota hold. One that only a pattern names must also be as it was made. Nothing of it reaches a provider. Without `apply` it only tells what would go.',
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        body: { ...SweepDraftsBody, ...optionalBody },
        response: {
          200: jsonAnswer(SweptDrafts, 'What was looked at, what went (or would go), what was left alone.'),
          ...errorAnswers([...workspaceErrors, 'payload_too_large', 'delete_storm_rejected']),
        },
      },
    },
    async (request, reply) => {
      const body: SweepDraftsBody = request.body ?? {};
      const apply = body.apply ?? false;
      const swept = await sweepDrafts(request.params.workspaceId, {
        pathPrefix: body.pathPrefix || null,
        patterns: body.patterns ?? [],
        apply,
        correlationId: correlationIdOf(request),
        authority: authorityOf(request),
      }).catch(refused);
      return sendJson(reply, SweptDrafts, 200, {
        dryRun: !apply,
        scanned: swept.scanned,
        removed: [...swept.removed],
        skipped: [...swept.skipped],
      });
    },
  );
}

function refused(error: unknown): never {
  if (error instanceof BadPatternError) throw new ApiError('bad_request', error.message);
  if (error instanceof DeleteQuotaError) {
    throw new ApiError('delete_storm_rejected', error.message, {
      retryAfterSeconds: deleteQuotaRetryAfterSeconds,
    });
  }
  throw error;
}

function itemNotFound(itemId: string): ApiError {
  return new ApiError('not_found', `there is no writeback item ${itemId}`);
}
