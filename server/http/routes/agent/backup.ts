// POST /v1/agent/backup: writes a consistent, verified copy of the store while the agent runs.
import { BackupBody, BackupResult } from '../../../contract/agent.ts';
import { CorrelationHeaders } from '../../../contract/parameters.ts';
import { ApiError } from '../../base/api-error.ts';
import { BackupRefusedError, type HttpDependencies } from '../../base/dependencies.ts';
import { commandBodyBytesMax } from '../../base/limits.ts';
import {
  type App,
  bearer,
  commonErrors,
  describeRoute,
  errorAnswers,
  jsonAnswer,
  sendJson,
} from '../../base/routing.ts';

export function registerBackup(app: App, { maintenance }: HttpDependencies): void {
  app.post(
    '/v1/agent/backup',
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'owner' } },
      schema: {
        operationId: 'backup',
        tags: ['Agent'],
        summary: 'Create a backup',
        description: describeRoute(
          'Owner or UI token.',
          '`dir` is an absolute path on this machine, empty or new.',
          'Answers when the copy is complete and verified.',
          'An unusable folder: `invalid_state` with the reason.',
        ),
        security: bearer,
        headers: CorrelationHeaders,
        body: BackupBody,
        response: {
          200: jsonAnswer(BackupResult, 'The backup.'),
          ...errorAnswers([...commonErrors, 'invalid_state', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { dir } = request.body;
      if (dir.includes('\0') || !dir.isWellFormed())
        throw new ApiError('bad_request', 'invalid dir: use an absolute path');
      const result = await maintenance.backup(dir).catch((error: unknown) => {
        if (error instanceof BackupRefusedError) throw new ApiError('invalid_state', error.message);
        throw error;
      });
      return sendJson(reply, BackupResult, 200, result);
    },
  );
}
