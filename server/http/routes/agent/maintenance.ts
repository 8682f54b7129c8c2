// /v1/agent/backup and /diagnostics: a consistent, verified copy of the store while the agent runs, the checks of `mooring doctor`, and the
// diagnostics bundle.
import { BackupBody, BackupResult, Diagnostics, DiagnosticsBundle } from '../../../contract/agent.ts';
import { ApiError, refusingAs } from '../../base/api-error.ts';
import { BackupRefusedError, type HttpDependencies } from '../../base/dependencies.ts';
import { commandRoute, route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';

export function registerBackup(app: App, { maintenance }: HttpDependencies): void {
  app.post(
    '/v1/agent/backup',
    commandRoute('owner', {
      operationId: 'backup',
      tag: 'Agent',
      summary: 'Create a backup',
      points: [
        '`dir` is an absolute path on this machine, empty or new.',
        'Answers when the copy is complete and verified.',
        'An unusable folder: `invalid_state` with the reason.',
      ],
      body: BackupBody,
      answers: { 200: jsonAnswer(BackupResult, 'The backup.') },
      errors: ['invalid_state'],
    }),
    async (request, reply) => {
      const { dir } = request.body;
      if (dir.includes('\0') || !dir.isWellFormed())
        throw new ApiError('bad_request', 'invalid dir: use an absolute path');
      const result = await maintenance.backup(dir).catch(refusingAs([BackupRefusedError, 'invalid_state']));
      return sendJson(reply, BackupResult, 200, result);
    },
  );
}

export function registerDiagnostics(app: App, dependencies: HttpDependencies): void {
  registerGetDiagnostics(app, dependencies);
  registerGetDiagnosticsBundle(app, dependencies);
}

function registerGetDiagnostics(app: App, { maintenance }: HttpDependencies): void {
  app.get(
    '/v1/agent/diagnostics',
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
    '/v1/agent/diagnostics/bundle',
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
