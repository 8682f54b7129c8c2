// W/mirrors/{id}/halt: pending deletions of a halted mirror, and its resolution. Owner or UI token only.
import { HeldDeletionsQueryParameters, MirrorParams } from '../../../../contract/parameters.ts';
import { HaltAnswerBody, HeldDeletions, Mirror } from '../../../../contract/workspaces.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { pendingDeletionsLimit } from '../../../base/limits.ts';
import { commandRoute, route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { queryOf } from '../../../plugins/auth.ts';
import { wireRevision } from '../../../wire/records.ts';
import { mirrorNotFound } from './mirrors.ts';

const url = '/v1/workspaces/:workspaceId/mirrors/:mirrorId/halt';

export function registerMirrorHalts(app: App, dependencies: HttpDependencies): void {
  registerShowHalt(app, dependencies);
  registerAnswerHalt(app, dependencies);
}

function registerShowHalt(app: App, { mirrors }: HttpDependencies): void {
  app.get(
    url,
    route('owner-workspace', {
      operationId: 'showHalt',
      tag: 'Mirrors',
      summary: 'List the pending deletions of a halted mirror',
      points: ['Files that would be deleted or truncated in the workspace, in the order of paths.'],
      params: MirrorParams,
      query: HeldDeletionsQueryParameters,
      answers: { 200: jsonAnswer(HeldDeletions, 'One page of pending deletions; empty if there are none.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const query = queryOf(request);
      const limit = query.integer('limit', pendingDeletionsLimit);
      const after = query.text('cursor') ?? '';
      // One more than the limit shows whether there is a next page.
      const pending = await mirrors.listPendingDeletions(workspaceId, mirrorId, { after, limit: limit + 1 });
      if (pending === null) throw mirrorNotFound();
      const shown = pending.files.slice(0, limit);
      return sendJson(reply, HeldDeletions, 200, {
        mirrorId,
        halt: pending.halt,
        items: shown.map(({ path, revision, change, sizeBytes, sizeAfterBytes }) => ({
          path,
          revision: wireRevision(revision),
          change,
          size: sizeBytes,
          sizeAfter: sizeAfterBytes,
        })),
        nextCursor: pending.files.length > limit ? (shown.at(-1)?.path ?? null) : null,
      });
    },
  );
}

function registerAnswerHalt(app: App, { mirrors }: HttpDependencies): void {
  app.post(
    url,
    commandRoute('owner-workspace', {
      operationId: 'answerHalt',
      tag: 'Mirrors',
      summary: 'Resolve the halt of a mirror',
      points: [
        '`restore` downloads the files that are missing or truncated in the folder.',
        '`delete` applies exactly the listed changes, if their number still equals `deletes`: the files are deleted or truncated in the workspace and remain in its history.',
        'Another number of files, or a mirror that is not halted for missing or truncated files: `invalid_state`.',
      ],
      params: MirrorParams,
      body: HaltAnswerBody,
      answers: { 200: jsonAnswer(Mirror, 'The running mirror.') },
      errors: ['not_found', 'invalid_state'],
    }),
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const resolved = await mirrors.resolveHalt(workspaceId, mirrorId, answerOf(request.body));
      if (resolved === null) throw mirrorNotFound();
      if (resolved.answer.kind === 'not_halted')
        throw new ApiError(
          'invalid_state',
          'the mirror is not halted for missing or truncated files: there is nothing to resolve',
        );
      if (resolved.answer.kind === 'changed') {
        const { deletes } = resolved.answer;
        throw new ApiError(
          'invalid_state',
          `the number of files changed to ${deletes}: list the pending deletions again before you confirm`,
          {
            fields: { deletes },
          },
        );
      }
      return sendJson(reply, Mirror, 200, resolved.mirror);
    },
  );
}

function answerOf({
  answer,
  deletes,
}: HaltAnswerBody): { kind: 'restore' } | { kind: 'delete'; deletes: number } {
  if (answer === 'restore') return { kind: 'restore' };
  if (deletes === undefined)
    throw new ApiError('bad_request', 'missing deletes: send the number of listed files');
  return { kind: 'delete', deletes };
}
