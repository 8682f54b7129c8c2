// GET /v1/agent/diagnostics: the checks of `mooring doctor`, and the diagnostics bundle.
import { Diagnostics, DiagnosticsBundle } from '../../../contract/agent.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';

const url = '/v1/agent/diagnostics';

export function registerDiagnostics(app: App, dependencies: HttpDependencies): void {
  registerGetDiagnostics(app, dependencies);
  registerGetDiagnosticsBundle(app, dependencies);
}

function registerGetDiagnostics(app: App, { maintenance }: HttpDependencies): void {
  app.get(
    url,
    route('owner', {
      operationId: 'getDiagnostics',
      tag: 'Agent',
      summary: 'Run the diagnostic checks',
      points: ['Each check with its result and, if it failed, the next step. Contains no secrets.'],
      answers: { 200: jsonAnswer(Diagnostics, 'The checks.') },
    }),
    async (_request, reply) => sendJson(reply, Diagnostics, 200, await maintenance.diagnostics()),
  );
}

function registerGetDiagnosticsBundle(app: App, { maintenance }: HttpDependencies): void {
  app.get(
    `${url}/bundle`,
    route('owner', {
      operationId: 'getDiagnosticsBundle',
      tag: 'Agent',
      summary: 'Create a diagnostics bundle',
      points: [
        'Checks, settings, counts and metrics, without tokens, secrets, contents, and names of files, folders and hosts.',
      ],
      answers: { 200: jsonAnswer(DiagnosticsBundle, 'The bundle.') },
    }),
    async (_request, reply) => sendJson(reply, DiagnosticsBundle, 200, await maintenance.bundle()),
  );
}
