// W/runs/{runId}/folder: creates and shows the folder of a run, and waits until it is in sync. Owner or UI token only, as for mirrors.

import { RunParams } from '../../../../contract/parameters.ts';
import { RunFolder, RunFolderBody, RunFolderSyncBody, RunFolderSynced } from '../../../../contract/runs.ts';
import { CloudFolderError, type CopyReport, MirrorRefusedError } from '../../../../mirror/manager/port.ts';
import type { RunFolder as Folder } from '../../../../runs/run-folders.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { settleTimeoutDefaultMs } from '../../../base/limits.ts';
import { commandRoute, route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { whileConnected } from '../../../request/while-connected.ts';

const url = '/v1/workspaces/:workspaceId/runs/:runId/folder';

export function registerRunFolder(app: App, dependencies: HttpDependencies): void {
  registerOpen(app, dependencies);
  registerShow(app, dependencies);
  registerSync(app, dependencies);
}

function registerOpen(app: App, { runFolders }: HttpDependencies): void {
  app.post(
    url,
    commandRoute('owner-workspace', {
      operationId: 'openRunFolder',
      tag: 'Runs',
      summary: 'Show a run in a folder',
      points: [
        'The folder has the files of the run and is synced with it both ways: its changes are staged, and the workspace does not change until the commit.',
        'Idempotent: a run has one folder. It ends with the run: in the data directory it is deleted after a commit, and 7 days after a discard.',
        'An unusable `dir`, for example one with files: `invalid_state` with the reason.',
      ],
      params: RunParams,
      optionalBody: RunFolderBody,
      answers: { 200: jsonAnswer(RunFolder, 'The folder. The first sync may still be running.') },
      errors: ['not_found', 'invalid_state', 'cloud_folder'],
    }),
    async (request, reply) => {
      const { workspaceId, runId } = request.params;
      const { dir = null } = request.body ?? {};
      if (dir !== null && (dir.includes('\0') || !dir.isWellFormed()))
        throw new ApiError('bad_request', 'invalid dir: use an absolute path');
      const folder = await runFolders.open(workspaceId, runId, dir).catch((error: unknown) => {
        if (error instanceof CloudFolderError) {
          const { service, path, relation } = error.folder;
          throw new ApiError('cloud_folder', error.message, { fields: { service, folder: path, relation } });
        }
        if (error instanceof MirrorRefusedError) throw new ApiError('invalid_state', error.message);
        throw error;
      });
      return sendJson(reply, RunFolder, 200, wireFolder(folder));
    },
  );
}

function registerShow(app: App, { runFolders }: HttpDependencies): void {
  app.get(
    url,
    route('owner-workspace', {
      operationId: 'getRunFolder',
      tag: 'Runs',
      summary: 'Get the folder of a run',
      params: RunParams,
      answers: { 200: jsonAnswer(RunFolder, 'The folder and the state of its sync.') },
      errors: ['not_found', 'invalid_state'],
    }),
    async (request, reply) => {
      const { workspaceId, runId } = request.params;
      return sendJson(reply, RunFolder, 200, wireFolder(await runFolders.get(workspaceId, runId)));
    },
  );
}

function registerSync(app: App, { runFolders }: HttpDependencies): void {
  app.post(
    `${url}/sync`,
    commandRoute('owner-workspace', {
      operationId: 'syncRunFolder',
      tag: 'Runs',
      summary: 'Wait until the folder of a run is in sync',
      points: [
        'The first wait includes the copies of files that no mirror syncs (`copied`).',
        '`settled` is true only if every change made before the call, in the folder or in the run, is synced. Otherwise the timeout was reached (default: 60 s; maximum: 1 hour).',
      ],
      params: RunParams,
      optionalBody: RunFolderSyncBody,
      answers: { 200: jsonAnswer(RunFolderSynced, 'The result of the wait.') },
      errors: ['not_found', 'invalid_state'],
    }),
    async (request, reply) => {
      const { workspaceId, runId } = request.params;
      // The wait ends when the caller disconnects.
      const { settled, folder } = await runFolders.settle(workspaceId, runId, {
        timeoutMs: request.body?.timeoutMs ?? settleTimeoutDefaultMs,
        signal: whileConnected(reply),
      });
      return sendJson(reply, RunFolderSynced, 200, { settled, folder: wireFolder(folder) });
    },
  );
}

function wireFolder({ run, dir, mirror, copied }: Folder): RunFolder {
  return { runId: run.run.runId, dir, mirror, copied: copied === null ? null : wireCopied(copied) };
}

function wireCopied({ files, links, skipped, ...same }: CopyReport): RunFolder['copied'] {
  return { ...same, fileCount: files, linkCount: links, skipped: [...skipped] };
}
