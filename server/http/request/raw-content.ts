// Sends the raw bytes of a file, or a range of them (RFC 9110, 14), for `Accept: application/octet-stream`.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FileEntry } from '../../workspaces/model.ts';
import type { WorkspaceService } from '../../workspaces/service.ts';
import { ApiError } from '../base/api-error.ts';
import { revisionName } from '../wire/records.ts';
import { stripEtag } from './file-writes.ts';

export const rawType = 'application/octet-stream';

/** Only for an explicit type: clients of the reference expect JSON for `*\/*`. */
export function wantsRaw(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '')
    .split(',')
    .some((part) => part.split(';')[0]?.trim().toLowerCase() === rawType);
}

export interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/**
 * `whole`: no range, several, or an invalid one; each is answered with the whole file (RFC 9110, 14.2).
 * `unsatisfiable`: it starts after the end.
 */
function rangeOf(header: string | undefined, sizeBytes: number): ByteRange | 'whole' | 'unsatisfiable' {
  const parsed = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (parsed === null) return 'whole';
  const [, first = '', last = ''] = parsed;
  if (first === '') {
    if (last === '') return 'whole';
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  if (start >= sizeBytes) return 'unsatisfiable';
  return { start, end: last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes) };
}

/** Sends the bytes or the requested range. HEAD sends only the headers. */
export async function sendRaw(
  workspaces: WorkspaceService,
  request: FastifyRequest,
  reply: FastifyReply,
  entry: FileEntry,
): Promise<FastifyReply> {
  const { sizeBytes, hash } = entry;
  const range = request.method === 'GET' ? requestedRange(request, entry) : 'whole';
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${sizeBytes}`);
    throw new ApiError(
      'range_not_satisfiable',
      `the range starts after the end: the file has ${sizeBytes} bytes`,
    );
  }
  reply
    .header('content-type', rawType)
    .header('accept-ranges', 'bytes')
    // RFC 9530: of the whole file, also for a range.
    .header('repr-digest', `sha-256=:${Buffer.from(hash, 'hex').toString('base64')}:`)
    .header('x-content-type-options', 'nosniff');
  const { start, end } = range === 'whole' ? { start: 0, end: sizeBytes } : range;
  reply.header('content-length', String(end - start));
  if (request.method === 'HEAD') return reply.code(200).send();
  if (range !== 'whole') reply.header('content-range', `bytes ${start}-${end - 1}/${sizeBytes}`);
  const opened = await workspaces.openContent(hash, { start, end });
  if (opened === null)
    throw new ApiError('unavailable', 'the content cannot be read at the moment: try again');
  return reply.code(range === 'whole' ? 200 : 206).send(opened.stream);
}

/** If-Range (RFC 9110, 13.1.5): a range only of the named revision, else the whole file. */
function requestedRange(request: FastifyRequest, entry: FileEntry): ReturnType<typeof rangeOf> {
  const ifRange = request.headers['if-range'];
  if (typeof ifRange === 'string' && stripEtag(ifRange.trim()) !== revisionName(entry)) return 'whole';
  return rangeOf(request.headers.range, entry.sizeBytes);
}
