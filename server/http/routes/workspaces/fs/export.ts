// GET W/fs/export: downloads all visible files below a path, streamed from one consistent snapshot.
import { ExportQueryParameters } from '../../../../contract/parameters.ts';
import { type ExportFormat, exportFormats } from '../../../../workspaces/export.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { exportRetryAfterSeconds } from '../../../base/limits.ts';
import { route } from '../../../base/route-options.ts';
import type { Answer, App } from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { forkErrors, listableFiles } from '../../../request/fork-access.ts';
import { listedPath, listingAccess } from '../../../wire/listing.ts';

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  json: 'application/json',
  tar: 'application/gzip',
  patch: 'text/x-diff; charset=utf-8',
};

const download: Answer = {
  description: 'The export.',
  content: {
    'application/json': { schema: { type: 'array', items: { $ref: 'File#' } } },
    'application/gzip': { schema: { type: 'string', format: 'binary' } },
    'text/x-diff; charset=utf-8': { schema: { type: 'string' } },
  },
};

export function registerExport(app: App, dependencies: HttpDependencies): void {
  const { exporter } = dependencies;
  app.get(
    '/v1/workspaces/:workspaceId/fs/export',
    route(listingAccess, {
      operationId: 'exportWorkspace',
      tag: 'Files',
      summary: 'Download all files',
      points: [
        '`json`: a list of files in the form of a single read.',
        '`tar`: a gzipped tar of the decoded bytes.',
        '`patch`: a patch that `git apply` turns into the same files, including binary ones.',
        'One consistent snapshot, sorted by path, without files hidden by access rules.',
        'At most two exports run at once.',
        'A failure after the first byte breaks the connection, so a body that ends is complete.',
      ],
      query: ExportQueryParameters,
      answers: { 200: download },
      errors: [...forkErrors, 'rate_limited'],
      config: { forks: true },
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const format = query.text('format') ?? 'json';
      if (!isFormat(format)) throw new ApiError('bad_request', 'invalid format');
      const { workspaceId } = request.params;
      const path = listedPath(query);
      const forkId = query.first('forkId');
      if (forkId !== undefined) await listableFiles(dependencies, request, workspaceId, path);
      const stream = await exporter.open({
        workspaceId,
        path,
        format,
        ...(forkId === undefined ? {} : { forkId }),
        access: callerOf(request).access,
      });
      if (stream === null) {
        throw new ApiError('rate_limited', 'two exports are running: try again when one has finished', {
          retryAfterSeconds: exportRetryAfterSeconds,
        });
      }
      reply.header('content-type', contentTypes[format]);
      if (format === 'tar')
        reply.header('content-disposition', 'attachment; filename="workspace-export.tar.gz"');
      return reply.send(stream);
    },
  );
}

function isFormat(text: string): text is ExportFormat {
  return (exportFormats as readonly string[]).includes(text);
}
