// W/mirrors/{id}: what holds for one mirror. Its guard is set; what other ignore rules would leave out is told before anybody
// writes them. Owner or UI token only.
import { CorrelationHeaders, MirrorParams } from '../../../../contract/parameters.ts';
import { Mirror, MirrorChangeBody, RulePreview, RulePreviewBody } from '../../../../contract/workspaces.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandBodyBytesMax, rulePreviewPathsMax, rulesBodyBytesMax } from '../../../base/limits.ts';
import {
  type App,
  bearer,
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
        summary: 'Set the guard of a mirror',
        description:
          'Owner or UI token. Holds at once, and after a restart. That a folder is gone, empty, or has lost more than half of its files halts the mirror whatever is set here.',
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
      if (mirror === null) throw new ApiError('not_found', 'there is no such mirror');
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
        summary: 'What other ignore rules would leave out',
        description:
          'Owner or UI token. Nothing is written. `rules` stands for the `.mooringignore` at the root of the folder; rule files of its directories count as they are. Of each list the first 1,000 paths in order come. While the mirror does not look at its folder (it is paused, or the folder is out of reach): `invalid_state`.',
        security: bearer,
        params: MirrorParams,
        headers: CorrelationHeaders,
        body: RulePreviewBody,
        response: {
          200: jsonAnswer(RulePreview, 'What would change.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'invalid_state', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const preview = await mirrors.previewRules(workspaceId, mirrorId, request.body.rules);
      if (preview === null) throw new ApiError('not_found', 'there is no such mirror');
      if (preview === 'asleep')
        throw new ApiError('invalid_state', 'the mirror does not look at its folder now: resume it first');
      return sendJson(reply, RulePreview, 200, {
        looked: preview.looked,
        leftOut: { count: preview.leftOut.length, paths: preview.leftOut.slice(0, rulePreviewPathsMax) },
        ...(preview.fault === null ? {} : { fault: preview.fault }),
        carried: { count: preview.carried.length, paths: preview.carried.slice(0, rulePreviewPathsMax) },
      });
    },
  );
}
