// GET /v1/agent/diagnostics: the checks of `mooring doctor`, and the diagnostics bundle.
import { Diagnostics, DiagnosticsBundle } from '../../../contract/agent.ts';
import { CorrelationHeaders } from '../../../contract/parameters.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import {
  type App,
  bearer,
  commonErrors,
  describeRoute,
  errorAnswers,
  jsonAnswer,
  sendJson,
} from '../../base/routing.ts';

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
        summary: 'Run the diagnostic checks',
        description: describeRoute(
          'Owner or UI token.',
          'Each check with its result and, if it failed, the next step. Contains no secrets.',
        ),
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
        summary: 'Create a diagnostics bundle',
        description: describeRoute(
          'Owner or UI token.',
          'Checks, settings, counts and metrics, without tokens, secrets, contents, and names of files, folders and hosts.',
        ),
        security: bearer,
        headers: CorrelationHeaders,
        response: { 200: jsonAnswer(DiagnosticsBundle, 'The bundle.'), ...errorAnswers(commonErrors) },
      },
    },
    async (_request, reply) => sendJson(reply, DiagnosticsBundle, 200, await maintenance.bundle()),
  );
}
