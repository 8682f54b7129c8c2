// POST /v1/agent/backup: writes a consistent, verified copy of the store while the agent runs.
import { BackupBody, BackupResult } from '../../../contract/agent.ts';
import { ApiError, refusingAs } from '../../base/api-error.ts';
import { BackupRefusedError, type HttpDependencies } from '../../base/dependencies.ts';
import { commandRoute } from '../../base/route-options.ts';
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
