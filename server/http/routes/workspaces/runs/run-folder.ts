// W/runs/{runId}/folder: creates and shows the folder of a run, waits until it is in sync, and lists what is not a part of the changes. Owner or UI token only, as for mirrors.

import { IgnoredChangesQueryParameters, RunParams } from '../../../../contract/parameters.ts';
import {
  IgnoredChanges,
  RunFolder,
  RunFolderBody,
  RunFolderSyncBody,
  RunFolderSynced,
} from '../../../../contract/runs.ts';
import { CloudFolderError, type CopyReport, MirrorRefusedError } from '../../../../mirror/manager/port.ts';
import type { IgnoredPage } from '../../../../runs/ignored-changes.ts';
import type { RunFolder as Folder } from '../../../../runs/run-folders.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { forkChangesLimit, forkPatchesLimit, settleTimeoutDefaultMs } from '../../../base/limits.ts';
import { commandRoute, route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { queryOf } from '../../../plugins/auth.ts';
import { whileConnected } from '../../../request/while-connected.ts';

const url = '/v1/workspaces/:workspaceId/runs/:runId/folder';

export function registerRunFolder(app: App, dependencies: HttpDependencies): void {
  registerOpen(app, dependencies);
  registerShow(app, dependencies);
  registerSync(app, dependencies);
  registerIgnored(app, dependencies);
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

function registerIgnored(app: App, { runFolders }: HttpDependencies): void {
  app.get(
    `${url}/ignored`,
    route('owner-workspace', {
      operationId: 'listIgnoredChanges',
      tag: 'Runs',
      summary: 'List the changes of ignored files in the folder of a run',
      points: [
        'What a command did to files that no mirror syncs: `.git`, ignored files, links, and files that are too large. They are not a part of the changes of the run, and no commit contains them.',
        'Compared by content with what was copied into the folder.',
        'With `patch=true`, a page has at most 20 changes and ends after 4 MiB of patches.',
        'Nothing was copied, or no folder mirrors the files of the run any more: `not_found`.',
      ],
      params: RunParams,
      query: IgnoredChangesQueryParameters,
      answers: { 200: jsonAnswer(IgnoredChanges, 'One page of changes.') },
      errors: ['not_found', 'invalid_state'],
    }),
    async (request, reply) => {
      const { workspaceId, runId } = request.params;
      const query = queryOf(request);
      const hasTexts = query.text('patch') === 'true';
      const limit = query.integer('limit', hasTexts ? forkPatchesLimit : forkChangesLimit);
      const page = { after: query.text('cursor') ?? '', limit, hasTexts };
      const changed = await runFolders.ignoredChanges(workspaceId, runId, page, whileConnected(reply));
      if (changed === null) throw new ApiError('not_found', 'nothing was copied into the folder of the run');
      return sendJson(reply, IgnoredChanges, 200, wireIgnored(changed));
    },
  );
}

function wireIgnored({ counts, changes, nextAfter }: IgnoredPage): IgnoredChanges {
  return {
    createdCount: counts.created,
    updatedCount: counts.updated,
    deletedCount: counts.deleted,
    changes: changes.map(({ path, type, kind, sizeBytes, modes, isLiveChanged, diff }) => ({
      ...{ path, type, kind, size: sizeBytes, liveChanged: isLiveChanged },
      ...{ modeBefore: octal(modes.before), mode: octal(modes.now) },
      ...(diff === null ? {} : { diff }),
    })),
    nextCursor: nextAfter,
  };
}

function octal(mode: number | null): string | null {
  return mode === null ? null : mode.toString(8).padStart(3, '0');
}

function wireFolder({ run, dir, mirror, copied }: Folder): RunFolder {
  return { runId: run.run.runId, dir, mirror, copied: copied === null ? null : wireCopied(copied) };
}

function wireCopied({ files, links, skipped, ...same }: CopyReport): RunFolder['copied'] {
  return { ...same, fileCount: files, linkCount: links, skipped: [...skipped] };
}
