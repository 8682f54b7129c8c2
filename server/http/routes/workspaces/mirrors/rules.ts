// W/mirrors/{id}: sets the deletion limit of a mirror, and previews ignore rules. Owner or UI token only.
import { MirrorParams } from '../../../../contract/parameters.ts';
import { Mirror, MirrorChangeBody, RulePreview, RulePreviewBody } from '../../../../contract/workspaces.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { rulePreviewPathsMax, rulesBodyBytesMax } from '../../../base/limits.ts';
import { commandRoute } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { mirrorNotFound } from './mirrors.ts';

export function registerMirrorRules(app: App, dependencies: HttpDependencies): void {
  registerChangeMirror(app, dependencies);
  registerPreviewIgnoreRules(app, dependencies);
}

function registerChangeMirror(app: App, { mirrors }: HttpDependencies): void {
  app.patch(
    '/v1/workspaces/:workspaceId/mirrors/:mirrorId',
    commandRoute('owner-workspace', {
      operationId: 'changeMirror',
      tag: 'Mirrors',
      summary: 'Set the deletion limit of a mirror',
      points: [
        'Takes effect immediately and persists.',
        'A missing or empty folder, or the loss of more than half of its files, halts the mirror regardless of the limit.',
      ],
      params: MirrorParams,
      body: MirrorChangeBody,
      answers: { 200: jsonAnswer(Mirror, 'The mirror.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const mirror = await mirrors.setDeletionLimit(workspaceId, mirrorId, request.body.deletesPerMinuteMax);
      if (mirror === null) throw mirrorNotFound();
      return sendJson(reply, Mirror, 200, mirror);
    },
  );
}

function registerPreviewIgnoreRules(app: App, { mirrors }: HttpDependencies): void {
  app.post(
    '/v1/workspaces/:workspaceId/mirrors/:mirrorId/rule-preview',
    commandRoute('owner-workspace', {
      operationId: 'previewIgnoreRules',
      tag: 'Mirrors',
      summary: 'Preview ignore rules',
      points: [
        'Writes nothing.',
        '`rules` replaces the `.mooringignore` at the root of the folder; rule files of its directories apply unchanged.',
        'Each list has at most 1,000 paths.',
        'A paused mirror, or an unreachable folder: `invalid_state`.',
      ],
      params: MirrorParams,
      body: RulePreviewBody,
      answers: { 200: jsonAnswer(RulePreview, 'The changes of the rules.') },
      errors: ['not_found', 'invalid_state'],
      bodyBytesMax: rulesBodyBytesMax,
    }),
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const preview = await mirrors.previewRules(workspaceId, mirrorId, request.body.rules);
      if (preview === null) throw mirrorNotFound();
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
