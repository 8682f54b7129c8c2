// W/mirrors/{id}: sets the deletion limit of a mirror, and previews ignore rules. Owner or UI token only.
import { CorrelationHeaders, MirrorParams } from '../../../../contract/parameters.ts';
import { Mirror, MirrorChangeBody, RulePreview, RulePreviewBody } from '../../../../contract/workspaces.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandBodyBytesMax, rulePreviewPathsMax, rulesBodyBytesMax } from '../../../base/limits.ts';
import {
  type App,
  bearer,
  describeRoute,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../base/routing.ts';

export function registerMirrorRules(app: App, dependencies: HttpDependencies): void {
  registerChangeMirror(app, dependencies);
  registerPreviewIgnoreRules(app, dependencies);
}

function registerChangeMirror(app: App, { mirrors }: HttpDependencies): void {
  app.patch(
    '/v1/workspaces/:workspaceId/mirrors/:mirrorId',
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'owner-workspace' } },
      schema: {
        operationId: 'changeMirror',
        tags: ['Mirrors'],
        summary: 'Set the deletion limit of a mirror',
        description: describeRoute(
          'Owner or UI token.',
          'Takes effect immediately and persists.',
          'A missing or empty folder, or the loss of more than half of its files, halts the mirror regardless of the limit.',
        ),
        security: bearer,
        params: MirrorParams,
        headers: CorrelationHeaders,
        body: MirrorChangeBody,
        response: {
          200: jsonAnswer(Mirror, 'The mirror.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const mirror = await mirrors.setDeletionLimit(workspaceId, mirrorId, request.body.deletesPerMinuteMax);
      if (mirror === null) throw new ApiError('not_found', 'mirror not found');
      return sendJson(reply, Mirror, 200, mirror);
    },
  );
}

function registerPreviewIgnoreRules(app: App, { mirrors }: HttpDependencies): void {
  app.post(
    '/v1/workspaces/:workspaceId/mirrors/:mirrorId/rule-preview',
    {
      bodyLimit: rulesBodyBytesMax,
      config: { access: { kind: 'owner-workspace' } },
      schema: {
        operationId: 'previewIgnoreRules',
        tags: ['Mirrors'],
        summary: 'Preview ignore rules',
        description: describeRoute(
          'Owner or UI token.',
          'Writes nothing.',
          '`rules` replaces the `.mooringignore` at the root of the folder; rule files of its directories apply unchanged.',
          'Each list has at most 1,000 paths.',
          'A paused mirror, or an unreachable folder: `invalid_state`.',
        ),
        security: bearer,
        params: MirrorParams,
        headers: CorrelationHeaders,
        body: RulePreviewBody,
        response: {
          200: jsonAnswer(RulePreview, 'The changes of the rules.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'invalid_state', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const preview = await mirrors.previewRules(workspaceId, mirrorId, request.body.rules);
      if (preview === null) throw new ApiError('not_found', 'mirror not found');
      if (preview === 'asleep')
        throw new ApiError(
          'invalid_state',
          'the mirror is paused or its folder is unreachable: resume it first',
        );
      return sendJson(reply, RulePreview, 200, {
        looked: preview.looked,
        leftOut: { count: preview.leftOut.length, paths: preview.leftOut.slice(0, rulePreviewPathsMax) },
        ...(preview.fault === null ? {} : { fault: preview.fault }),
        carried: { count: preview.carried.length, paths: preview.carried.slice(0, rulePreviewPathsMax) },
      });
    },
  );
}
