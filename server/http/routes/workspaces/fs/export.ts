// GET W/fs/export: downloads all visible files below a path, streamed from one consistent snapshot.
import { ExportQueryParameters } from '../../../../contract/parameters.ts';
import { type ExportFormat, exportFormats } from '../../../../workspaces/export.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { exportLevel, exportRetryAfterSeconds } from '../../../base/limits.ts';
import type { Query } from '../../../base/query.ts';
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
  headers: {
    'mooring-tar-bytes': {
      type: 'string',
      description:
        'Approximate size of a tar before compression; absent for a fork and where access rules hide files.',
    },
  },
  content: {
    'application/json': { schema: { type: 'array', items: { $ref: 'File#' } } },
    'application/gzip': { schema: { type: 'string', format: 'binary' } },
    'application/x-tar': { schema: { type: 'string', format: 'binary' } },
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
        '`tar`: a gzipped tar of the decoded bytes; with `level=0` the tar itself.',
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
      const level = levelOf(query, format);
      const { workspaceId } = request.params;
      const path = listedPath(query);
      const forkId = query.first('forkId');
      if (forkId !== undefined) await listableFiles(dependencies, request, workspaceId, path);
      const opened = await exporter.open({
        workspaceId,
        path,
        format,
        level,
        ...(forkId === undefined ? {} : { forkId }),
        access: callerOf(request).access,
      });
      if (opened === null) {
        throw new ApiError('rate_limited', 'two exports are running: try again when one has finished', {
          retryAfterSeconds: exportRetryAfterSeconds,
        });
      }
      if (opened.tarBytes !== null) reply.header('mooring-tar-bytes', String(opened.tarBytes));
      const isPlainTar = format === 'tar' && level === 0;
      reply.header('content-type', isPlainTar ? 'application/x-tar' : contentTypes[format]);
      if (format === 'tar') {
        const name = `workspace-export.tar${isPlainTar ? '' : '.gz'}`;
        reply.header('content-disposition', `attachment; filename="${name}"`);
      }
      return reply.send(opened.stream);
    },
  );
}

/** A default in place of an invalid level would answer with another format than was asked for. */
function levelOf(query: Query, format: ExportFormat): number {
  const text = query.first('level');
  if (text === undefined) return exportLevel.default;
  if (format !== 'tar') throw new ApiError('bad_request', 'level applies to format=tar only');
  const level = /^\d+$/.test(text) ? Number(text) : exportLevel.max + 1;
  if (level <= exportLevel.max) return level;
  throw new ApiError('bad_request', `invalid level: ${exportLevel.min} to ${exportLevel.max}`);
}

function isFormat(text: string): text is ExportFormat {
  return (exportFormats as readonly string[]).includes(text);
}
