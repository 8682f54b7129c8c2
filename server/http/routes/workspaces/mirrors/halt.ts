// W/mirrors/{id}/halt: what a halted mirror holds back, and the two answers that a person can give. Owner or UI token only.
import {
  CorrelationHeaders,
  HeldDeletionsQueryParameters,
  MirrorParams,
} from '../../../../contract/parameters.ts';
import { HaltAnswerBody, HeldDeletions, Mirror } from '../../../../contract/workspaces.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandBodyBytesMax, heldDeletionsLimit } from '../../../base/limits.ts';
import {
  type App,
  bearer,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../base/routing.ts';
import { queryOf } from '../../../plugins/auth.ts';
import { wireRevision } from '../../../wire/records.ts';

const url = '/v1/workspaces/:workspaceId/mirrors/:mirrorId/halt';
const access = { kind: 'owner-workspace' } as const;

export function registerMirrorHalts(app: App, dependencies: HttpDependencies): void {
  registerShowHalt(app, dependencies);
  registerAnswerHalt(app, dependencies);
}

function registerShowHalt(app: App, { mirrors }: HttpDependencies): void {
  app.get(
    url,
    {
      config: { access },
      schema: {
        operationId: 'showHalt',
        tags: ['Mirrors'],
        summary: 'What a halted mirror would delete or truncate',
        description:
          'Owner or UI token. The files that would be deleted or truncated in the workspace, in the order of paths.',
        security: bearer,
        params: MirrorParams,
        headers: CorrelationHeaders,
        querystring: HeldDeletionsQueryParameters,
        response: {
          200: jsonAnswer(HeldDeletions, 'A page of them; empty when nothing is held back.'),
          ...errorAnswers([...workspaceErrors, 'not_found']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const query = queryOf(request);
      const limit = query.integer('limit', heldDeletionsLimit);
      const after = query.text('cursor') ?? '';
      // One more than asked for tells whether there is a next page.
      const held = await mirrors.listPendingDeletions(workspaceId, mirrorId, { after, limit: limit + 1 });
      if (held === null) throw mirrorNotFound();
      const shown = held.files.slice(0, limit);
      return sendJson(reply, HeldDeletions, 200, {
        mirrorId,
        halt: held.halt,
        items: shown.map(({ path, revision, change, sizeBytes, sizeAfterBytes }) => ({
          path,
          revision: wireRevision(revision),
          change,
          size: sizeBytes,
          sizeAfter: sizeAfterBytes,
        })),
        nextCursor: held.files.length > limit ? (shown.at(-1)?.path ?? null) : null,
      });
    },
  );
}

function registerAnswerHalt(app: App, { mirrors }: HttpDependencies): void {
  app.post(
    url,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access },
      schema: {
        operationId: 'answerHalt',
        tags: ['Mirrors'],
        summary: 'Answer a halted mirror',
        description:
          'Owner or UI token. `restore` brings back from the workspace what is missing or truncated in the folder. `delete` carries the very changes that were shown, as many as `deletes` says: files are deleted or truncated in the workspace and stay in its history. A mirror that did not halt for missing or truncated files is an `invalid_state`, and so is another number of files.',
        security: bearer,
        params: MirrorParams,
        headers: CorrelationHeaders,
        body: HaltAnswerBody,
        response: {
          200: jsonAnswer(Mirror, 'The mirror, which goes on.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'invalid_state', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const answered = await mirrors.resolveHalt(workspaceId, mirrorId, answerOf(request.body));
      if (answered === null) throw mirrorNotFound();
      if (answered.answer.kind === 'not_halted')
        throw new ApiError('invalid_state', 'the mirror is not halted for missing or truncated files');
      if (answered.answer.kind === 'changed') {
        const { deletes } = answered.answer;
        throw new ApiError(
          'invalid_state',
          `${deletes} files would be deleted or truncated by now: look again`,
          {
            fields: { deletes },
          },
        );
      }
      return sendJson(reply, Mirror, 200, answered.mirror);
    },
  );
}

function answerOf({
  answer,
  deletes,
}: HaltAnswerBody): { kind: 'restore' } | { kind: 'delete'; deletes: number } {
  if (answer === 'restore') return { kind: 'restore' };
  if (deletes === undefined) throw new ApiError('bad_request', 'say with deletes how many files were shown');
  return { kind: 'delete', deletes };
}

function mirrorNotFound(): ApiError {
  return new ApiError('not_found', 'there is no such mirror');
}
