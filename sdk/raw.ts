// Reads revision, size and range from an answer with raw bytes.
import type { FileStat, RawFile } from './types.ts';

export const rawType = 'application/octet-stream';

/** From the headers of a GET or HEAD answer. */
export function fileStatOf(headers: Headers): FileStat {
  return { revision: headers.get('etag') ?? '', size: Number(headers.get('content-length') ?? 0) };
}

export function rawFileOf(response: Response): RawFile {
  const { headers } = response;
  const revision = headers.get('etag') ?? '';
  const stream = response.body ?? new Blob([]).stream();
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '');
  if (range === null) {
    const size = Number(headers.get('content-length') ?? 0);
    return { revision, size, part: { start: 0, end: size }, stream };
  }
  const [, first, last, size] = range;
  return { revision, size: Number(size), part: { start: Number(first), end: Number(last) + 1 }, stream };
}
