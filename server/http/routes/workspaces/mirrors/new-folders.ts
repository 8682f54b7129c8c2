// GET /v1/folders and /v1/folders/count: a folder of this machine before it is mirrored. Owner or UI token only.
import { NewFolder, NewFolderCount, NewFolderQueryParameters } from '../../../../contract/new-folders.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import type { Query } from '../../../base/query.ts';
import { route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { queryOf } from '../../../plugins/auth.ts';
import { whileConnected } from '../../../request/while-connected.ts';

const url = '/v1/folders';
const pathCharactersMax = 4096;

export function registerNewFolders(app: App, { mirrors }: HttpDependencies): void {
  app.get(
    url,
    route('owner', {
      operationId: 'getNewFolder',
      tag: 'Mirrors',
      summary: 'Look at a folder before it is mirrored',
      points: ['Whether it can be mirrored, and folders that complete the path.', 'Changes nothing.'],
      query: NewFolderQueryParameters,
      answers: { 200: jsonAnswer(NewFolder, 'The folder.') },
    }),
    async (request, reply) => {
      const { cloud, proposals, ...found } = await mirrors.newFolders.look(pathOf(queryOf(request)));
      return sendJson(reply, NewFolder, 200, {
        ...found,
        cloud: cloud && {
          service: cloud.folder.service,
          folder: cloud.folder.path,
          relation: cloud.folder.relation,
          text: cloud.text,
        },
        proposals: [...proposals],
      });
    },
  );
  app.get(
    `${url}/count`,
    route('owner', {
      operationId: 'countNewFolder',
      tag: 'Mirrors',
      summary: 'Count the files of a folder before it is mirrored',
      points: [
        'With the ignore rules of the folder. A missing folder has no files.',
        'At most a million entries and 15 s; it ends when the caller closes the connection.',
      ],
      query: NewFolderQueryParameters,
      answers: { 200: jsonAnswer(NewFolderCount, 'The count.') },
    }),
    async (request, reply) => {
      const count = await mirrors.newFolders.count(pathOf(queryOf(request)), whileConnected(reply));
      if (count === null) throw new ApiError('bad_request', 'invalid path: use an absolute path');
      const { isComplete, ...numbers } = count;
      return sendJson(reply, NewFolderCount, 200, { ...numbers, complete: isComplete });
    },
  );
}

function pathOf(query: Query): string {
  const path = query.text('path');
  if (path === undefined) throw new ApiError('bad_request', 'missing path: use an absolute path');
  if (path.length > pathCharactersMax || path.includes('\0') || !path.isWellFormed())
    throw new ApiError('bad_request', 'invalid path: use an absolute path');
  return path;
}
