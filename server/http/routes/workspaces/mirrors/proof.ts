// W/mirrors/{id}/proof: the last proof of a mirror, and a new one. Owner or UI token only.

import { MirrorParams } from '../../../../contract/parameters.ts';
import { MirrorProof, ProofResult, ProveBody } from '../../../../contract/proof.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { proofTimeoutDefaultMs } from '../../../base/limits.ts';
import { commandRoute, route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { whileConnected } from '../../../request/while-connected.ts';
import { mirrorNotFound } from './mirrors.ts';

const url = '/v1/workspaces/:workspaceId/mirrors/:mirrorId/proof';

export function registerMirrorProofs(app: App, dependencies: HttpDependencies): void {
  registerShowProof(app, dependencies);
  registerProveMirror(app, dependencies);
}

function registerShowProof(app: App, { mirrors }: HttpDependencies): void {
  app.get(
    url,
    route('owner-workspace', {
      operationId: 'showProof',
      tag: 'Mirrors',
      summary: 'Get the last proof of a mirror',
      points: ['Returns the known state; reads no files.'],
      params: MirrorParams,
      answers: { 200: jsonAnswer(MirrorProof, 'The proof.') },
      errors: ['not_found'],
    }),
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
    commandRoute('owner-workspace', {
      operationId: 'proveMirror',
      tag: 'Mirrors',
      summary: 'Run a proof of a mirror',
      points: [
        'Scans, then compares folder, workspace and base, each from its own source. Every file of the folder is hashed.',
        'Listed conflicts and problems, and ignored files, are excluded and counted.',
        'Takes as long as reading the folder, at most `timeoutMs` (default: 10 minutes; maximum: 1 hour).',
      ],
      params: MirrorParams,
      optionalBody: ProveBody,
      answers: { 200: jsonAnswer(ProofResult, 'The result of the proof.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const body: ProveBody | undefined = request.body ?? undefined;
      // The proof ends when the caller disconnects.
      const proved = await mirrors.prove(workspaceId, mirrorId, {
        timeoutMs: body?.timeoutMs ?? proofTimeoutDefaultMs,
        signal: whileConnected(reply),
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
