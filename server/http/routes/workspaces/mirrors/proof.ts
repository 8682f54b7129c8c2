// W/mirrors/{id}/proof: whether a folder and its workspace are equal, as last known, and found out anew. Owner or UI token only.
import { CorrelationHeaders, MirrorParams } from '../../../../contract/parameters.ts';
import { MirrorProof, ProofResult, ProveBody } from '../../../../contract/proof.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandBodyBytesMax, proofTimeoutDefaultMs } from '../../../base/limits.ts';
import {
  type App,
  bearer,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../base/routing.ts';
import { optionalBody } from '../../../plugins/bodies.ts';

const url = '/v1/workspaces/:workspaceId/mirrors/:mirrorId/proof';
const access = { kind: 'owner-workspace' } as const;

export function registerMirrorProofs(app: App, dependencies: HttpDependencies): void {
  registerShowProof(app, dependencies);
  registerProveMirror(app, dependencies);
}

function registerShowProof(app: App, { mirrors }: HttpDependencies): void {
  app.get(
    url,
    {
      config: { access },
      schema: {
        operationId: 'showProof',
        tags: ['Mirrors'],
        summary: 'Whether a mirror is proved equal',
        description: 'Owner or UI token. As it is known; nothing is looked at.',
        security: bearer,
        params: MirrorParams,
        headers: CorrelationHeaders,
        response: {
          200: jsonAnswer(MirrorProof, 'The proof meter.'),
          ...errorAnswers([...workspaceErrors, 'not_found']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const mirror = (await mirrors.list(workspaceId)).find((one) => one.mirrorId === mirrorId);
      if (mirror === undefined) throw mirrorNotFound();
      return sendJson(reply, MirrorProof, 200, mirror.proof);
    },
  );
}

function registerProveMirror(app: App, { mirrors }: HttpDependencies): void {
  app.post(
    url,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access },
      schema: {
        operationId: 'proveMirror',
        tags: ['Mirrors'],
        summary: 'Prove a mirror equal now',
        description:
          'Owner or UI token. Scans, then compares the folder, the workspace and what both last agreed on, each from its own source; every file of the folder is hashed. What is listed as a conflict or a problem, or ignored, is left out and counted. Takes as long as reading the folder takes, and until `timeoutMs` (ten minutes by default, an hour at most).',
        security: bearer,
        params: MirrorParams,
        headers: CorrelationHeaders,
        body: { ...ProveBody, ...optionalBody },
        response: {
          200: jsonAnswer(ProofResult, 'What it came to.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const body: ProveBody | undefined = request.body ?? undefined;
      // Nobody waits any more once the caller is gone.
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const proved = await mirrors.prove(workspaceId, mirrorId, {
        timeoutMs: body?.timeoutMs ?? proofTimeoutDefaultMs,
        signal: gone.signal,
      });
      if (proved === null) throw mirrorNotFound();
      return sendJson(reply, ProofResult, 200, {
        outcome: proved.outcome === 'not_equal' ? 'not-equal' : proved.outcome,
        mirrorId,
        proof: proved.mirror.proof,
      });
    },
  );
}

function mirrorNotFound(): ApiError {
  return new ApiError('not_found', 'there is no such mirror');
}
