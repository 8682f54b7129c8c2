// W/writeback: lists, acknowledges, previews and cancels pending operations for external consumers, and sweeps drafts.
import {
  SweepDraftsBody,
  SweptDrafts,
  WritebackAckBody,
  WritebackAcknowledged,
  WritebackCanceled,
  WritebackItemList,
  WritebackPreview,
} from '../../../../contract/operations.ts';
import { WritebackItemParams } from '../../../../contract/parameters.ts';
import { BadPatternError, DeleteQuotaError } from '../../../../outbound/operations/draft-sweep.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { writebackPendingMax } from '../../../base/limits.ts';
import { commandRoute, route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { authorityOf } from '../../../request/authority.ts';
import { deleteQuotaExceeded } from '../../../request/delete-quota.ts';
import { grantedPage, shownRows } from '../../../request/path-grants.ts';
import { writebackPreview } from '../../../wire/operations.ts';
import { writebackItem } from '../../../wire/records.ts';
import { operationNotFound } from './one.ts';

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
    route('sync:read', {
      operationId: 'listPendingWritebacks',
      tag: 'Writeback',
      summary: 'List pending operations',
      callers:
        'Scope: `sync:read`; rows outside the token’s path scopes (of this scope and of files) and of files hidden by access rules are omitted.',
      points: [
        'Operations that wait for their provider, oldest first, at most 1,000. Acknowledge some to see more.',
      ],
      answers: { 200: jsonAnswer(WritebackItemList, 'The pending operations.') },
    }),
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
    commandRoute('sync:trigger', {
      operationId: 'acknowledgeWriteback',
      tag: 'Writeback',
      summary: 'Acknowledge a pending operation',
      points: [
        'Without a body: success. A failure makes a dead letter immediately.',
        '`externalId` or `canonicalPath` moves a draft file to its final name, if that path is free and the token may change both paths. The move counts as one deletion against its quota. `draft` reports the result.',
        '404 for an operation of a file that the token may not change.',
        'Idempotent.',
      ],
      params: WritebackItemParams,
      optionalBody: WritebackAckBody,
      answers: { 200: jsonAnswer(WritebackAcknowledged, 'The operation is acknowledged.') },
      errors: ['not_found', 'delete_storm_rejected'],
    }),
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
      if (acknowledged === null) throw operationNotFound(itemId);
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
    route('owner-workspace', {
      operationId: 'previewWriteback',
      tag: 'Writeback',
      summary: 'Preview a pending operation',
      points: [
        'Only for the owner, because it returns content.',
        'Sends nothing: returns the diff to the provider’s copy, and the request without its signature.',
      ],
      params: WritebackItemParams,
      answers: { 200: jsonAnswer(WritebackPreview, 'The request of the operation.') },
      errors: ['not_found', 'rate_limited'],
    }),
    async (request, reply) => {
      const { workspaceId, itemId } = request.params;
      const preview = await operations.preview(workspaceId, itemId, null);
      if (preview === null) throw operationNotFound(itemId);
      return sendJson(reply, WritebackPreview, 200, writebackPreview(preview));
    },
  );
}

function registerCancelWriteback(app: App, { transitions }: HttpDependencies): void {
  app.post(
    '/v1/workspaces/:workspaceId/writeback/:itemId/cancel',
    commandRoute('sync:trigger', {
      operationId: 'cancelWriteback',
      tag: 'Writeback',
      summary: 'Cancel a pending operation',
      points: [
        'The operation becomes `canceled` and is never sent; the file does not change.',
        'Any other status: `invalid_state`.',
      ],
      params: WritebackItemParams,
      answers: { 200: jsonAnswer(WritebackCanceled, 'The operation is canceled.') },
      errors: ['not_found', 'invalid_state'],
    }),
    async (request, reply) => {
      const { workspaceId, itemId } = request.params;
      const correlationId = correlationIdOf(request);
      const outcome = await transitions.cancel(workspaceId, itemId, {
        correlationId,
        by: authorityOf(request),
      });
      if (outcome === 'unknown') throw operationNotFound(itemId);
      if (outcome === 'invalid_state')
        throw new ApiError(
          'invalid_state',
          `operation ${itemId} is not pending: only pending operations can be canceled`,
        );
      return sendJson(reply, WritebackCanceled, 200, { status: 'canceled', id: itemId, correlationId });
    },
  );
}

function registerSweep(app: App, { sweepDrafts }: HttpDependencies): void {
  app.post(
    '/v1/workspaces/:workspaceId/writeback/sweep-drafts',
    commandRoute('sync:trigger', {
      operationId: 'sweepWritebackDrafts',
      tag: 'Writeback',
      summary: 'Remove leftover drafts',
      points: [
        'Drafts that were delivered to their provider and never got a final name: `<resource> <uuid>.json`, and names that match a given pattern.',
        'Only files that were created here, that their provider accepted unchanged without an id, and that the token may delete by its path scopes, the access rules and its delete quota. A file that only a pattern matches must also be unchanged since its creation.',
        'Makes no operations for providers.',
        'Without `apply`: a dry run.',
      ],
      optionalBody: SweepDraftsBody,
      answers: { 200: jsonAnswer(SweptDrafts, 'The examined, removed (or removable) and remaining files.') },
      errors: ['delete_storm_rejected'],
    }),
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
  if (error instanceof DeleteQuotaError) throw deleteQuotaExceeded(error.message);
  throw error;
}
