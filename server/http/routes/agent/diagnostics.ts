// GET /v1/agent/diagnostics: what `mooring doctor` shows, and the bundle that may be handed to somebody who helps.
import { Diagnostics, DiagnosticsBundle } from '../../../contract/agent.ts';
import { CorrelationHeaders } from '../../../contract/parameters.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { type App, bearer, commonErrors, errorAnswers, jsonAnswer, sendJson } from '../../base/routing.ts';

const url = '/v1/agent/diagnostics';

export function registerDiagnostics(app: App, dependencies: HttpDependencies): void {
  registerGetDiagnostics(app, dependencies);
  registerGetDiagnosticsBundle(app, dependencies);
}

function registerGetDiagnostics(app: App, { maintenance }: HttpDependencies): void {
  app.get(
    url,
    {
      config: { access: { kind: 'owner' } },
      schema: {
        operationId: 'getDiagnostics',
        tags: ['Agent'],
        summary: 'Check the agent',
        description:
          'Owner or UI token. What was looked at, whether it is well, and what to do if not. No secrets.',
        security: bearer,
        headers: CorrelationHeaders,
        response: { 200: jsonAnswer(Diagnostics, 'The checks.'), ...errorAnswers(commonErrors) },
      },
    },
    async (_request, reply) => sendJson(reply, Diagnostics, 200, await maintenance.diagnostics()),
  );
}

function registerGetDiagnosticsBundle(app: App, { maintenance }: HttpDependencies): void {
  app.get(
    `${url}/bundle`,
    {
      config: { access: { kind: 'owner' } },
      schema: {
        operationId: 'getDiagnosticsBundle',
        tags: ['Agent'],
        summary: 'Make a diagnostics bundle',
        description:
          'Owner or UI token. Checks, settings, figures and metrics. Tokens, secrets, contents, names of files, folders and hosts are left out.',
        security: bearer,
        headers: CorrelationHeaders,
        response: { 200: jsonAnswer(DiagnosticsBundle, 'The bundle.'), ...errorAnswers(commonErrors) },
      },
    },
    async (_request, reply) => sendJson(reply, DiagnosticsBundle, 200, await maintenance.bundle()),
  );
}
