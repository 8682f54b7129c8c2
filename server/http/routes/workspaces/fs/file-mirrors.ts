// W/fs/mirrors: the state of the mirrors of the files that the caller may read, and their conflicts. It shows no folder of the machine.
import type { FastifyRequest } from 'fastify';
import { grantedRoots } from '../../../../auth/scopes.ts';
import type { ListedConflict } from '../../../../conflicts/conflicts.ts';
import { type FileMirror, FileMirrors } from '../../../../contract/file-mirrors.ts';
import type { Mirror } from '../../../../contract/workspaces.ts';
import { isoTime } from '../../../../platform/json/json-text.ts';
import { isWithin } from '../../../../workspaces/model.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { fileConflictsMax } from '../../../base/limits.ts';
import { route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf } from '../../../plugins/auth.ts';
import { authorityOf } from '../../../request/authority.ts';

type Permitted = (paths: readonly string[]) => Promise<readonly boolean[]>;

export function registerFileMirrors(app: App, { mirrors, conflicts, workspaces }: HttpDependencies): void {
  app.get(
    '/v1/workspaces/:workspaceId/fs/mirrors',
    route('fs:read', {
      operationId: 'listFileMirrors',
      tag: 'Mirrors',
      summary: 'List the mirrors of readable files',
      callers:
        'Scope: `fs:read`; mirrors and conflicts of files that the token’s path scopes or the access rules hide are omitted.',
      points: ['The state of each mirror, and the conflicts, without the folders.'],
      answers: { 200: jsonAnswer(FileMirrors, 'The mirrors and the conflicts.') },
    }),
    async (request, reply) => {
      const { workspaceId } = request.params;
      const authority = authorityOf(request, 'fs:read');
      const permitted: Permitted = (paths) => workspaces.permitted(workspaceId, paths, authority);
      const [all, listed] = await Promise.all([mirrors.list(workspaceId), conflicts.list(workspaceId)]);
      return sendJson(reply, FileMirrors, 200, {
        mirrors: await shownMirrors(request, all, permitted),
        conflicts: (await shownConflicts(listed, permitted)).slice(0, fileConflictsMax).map(conflictWire),
      });
    },
  );
}

/** Those of which the caller reads something. Each party of the token and the access rules decide. */
async function shownMirrors(
  request: FastifyRequest,
  all: readonly Mirror[],
  permitted: Permitted,
): Promise<FileMirror[]> {
  const { access } = callerOf(request);
  const roots = access === null ? [] : grantedRoots(access.scopes, 'fs:read');
  const shown: FileMirror[] = [];
  for (const mirror of all) {
    const { mirrorId, path, mode, state } = mirror;
    const parts = [path, ...roots.filter((root) => isWithin(path, root))];
    const [whole = false, ...some] = await permitted(parts.map(anyFileBelow));
    if (whole || some.includes(true))
      shown.push({ mirrorId, path, mode, state: whole ? state : coarse(state) });
  }
  return shown;
}

/** A name that no file has, so only what applies to all files below decides. */
function anyFileBelow(directory: string): string {
  return directory === '/' ? '/\0' : `${directory}/\0`;
}

/** Without what shows when other files change. */
function coarse(state: Mirror['state']): FileMirror['state'] {
  return state === 'scanning' || state === 'syncing' || state === 'idle' ? 'running' : state;
}

async function shownConflicts(
  conflicts: readonly ListedConflict[],
  permitted: Permitted,
): Promise<readonly ListedConflict[]> {
  const allowed = await permitted(conflicts.flatMap(({ row: { path, copyPath } }) => [path, copyPath]));
  return conflicts.filter((_, index) => allowed[2 * index] === true && allowed[2 * index + 1] === true);
}

function conflictWire({ source, row, kind }: ListedConflict): FileMirrors['conflicts'][number] {
  const { conflictId, path, copyPath, atMs } = row;
  return {
    conflictId,
    mirrorId: source.kind === 'mirror' ? source.id : null,
    kind,
    path,
    copyPath,
    detectedAt: isoTime(atMs),
  };
}
