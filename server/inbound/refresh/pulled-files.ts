// Reads the pages of a provider one after the other, and its files as they are compared.
import { type LongText, slicesOf } from '../../core/long-text.ts';
import { normalizeReadPath, providerOf } from '../../core/paths/path.ts';
import {
  refreshBytesMax,
  refreshDurationMaxMs,
  refreshFileBytesMax,
  refreshFilesMax,
  refreshPagesMax,
} from '../../delivery/limits.ts';
import {
  type Provider,
  type PulledFile,
  type PulledPage,
  PullFailedError,
} from '../../outbound/providers/provider.ts';
import type { Clock } from '../../platform/clock.ts';
import { createSha256 } from '../../platform/crypto/hashes.ts';
import { TimeSlices } from '../../platform/event-loop.ts';

/** Characters of a content that are hashed at once. */
const sliceCharacters = 256 * 1024;

/** Pages one after the other; the next is asked for when the last one was taken. Throws a PullFailedError where it has too much, or
 * something of another provider. */
export async function* readPages(
  provider: Provider,
  name: string,
  id: string,
  clock: Pick<Clock, 'nowMs'>,
  signal: AbortSignal,
): AsyncGenerator<PulledPage, void> {
  const endsAtMs = clock.nowMs() + refreshDurationMaxMs;
  let files = 0;
  let bytes = 0;
  let cursor: string | null = null;
  for (let pages = 0; pages < refreshPagesMax; pages += 1) {
    const pulled: Awaited<ReturnType<NonNullable<Provider['pull']>>> | undefined = await provider.pull?.(
      cursor,
      id,
      signal,
    );
    if (pulled === undefined) throw new PullFailedError('it cannot be pulled');
    const page = pulled.files.map((file) => ownFile(file, name));
    files += page.length;
    bytes += page.reduce((sum, file) => sum + byteLength(file.content), 0);
    if (files > refreshFilesMax) throw new PullFailedError(`it has more than ${refreshFilesMax} files`);
    if (bytes > refreshBytesMax) throw new PullFailedError(`it has more than ${refreshBytesMax} bytes`);
    yield { ...pulled, files: page };
    if (pulled.nextCursor === null) return;
    if (pulled.nextCursor === cursor) throw new PullFailedError('its pages do not end');
    if (clock.nowMs() > endsAtMs)
      throw new PullFailedError(`it takes longer than ${refreshDurationMaxMs / 3_600_000} hours`);
    cursor = pulled.nextCursor;
  }
  throw new PullFailedError(`it has more than ${refreshPagesMax} pages`);
}

function ownFile(file: PulledFile, name: string): PulledFile {
  const path = normalizeReadPath(file.path);
  if (providerOf(path) !== name) throw new PullFailedError(`${path} does not belong to ${name}`);
  if (byteLength(file.content) > refreshFileBytesMax) {
    throw new PullFailedError(`${path} has more than ${refreshFileBytesMax} bytes`);
  }
  return { ...file, path };
}

/** null: not decodable; the intake will say so, with all that was sent. Others go first between its slices. */
export async function hashOf(file: PulledFile): Promise<string | null> {
  const encoding = file.encoding ?? 'utf-8';
  if (encoding !== 'base64' && encoding !== 'utf-8' && encoding !== 'utf8') return null;
  const turns = new TimeSlices();
  const hash = createSha256();
  const slices = encoding === 'base64' ? base64Slices(file.content) : textSlices(file.content);
  for (const slice of slices) {
    hash.update(slice);
    await turns.next();
  }
  return hash.hex();
}

/** Bytes as UTF-8. */
function byteLength(content: string | LongText): number {
  let bytes = 0;
  for (const slice of slicesOf(content, sliceCharacters)) bytes += Buffer.byteLength(slice);
  return bytes;
}

function* textSlices(content: string | LongText): Generator<Buffer> {
  for (const slice of slicesOf(content, sliceCharacters)) yield Buffer.from(slice);
}

/** Four characters are three bytes; line breaks count for nothing. */
function* base64Slices(content: string | LongText): Generator<Buffer> {
  let rest = '';
  for (const slice of slicesOf(content, sliceCharacters)) {
    const clean = rest + slice.replace(/[\r\n]/g, '');
    const whole = clean.length - (clean.length % 4);
    rest = clean.slice(whole);
    yield Buffer.from(clean.slice(0, whole), 'base64');
  }
  yield Buffer.from(rest, 'base64');
}

export function hasNewId(file: PulledFile, known: string | null): boolean {
  return file.providerObjectId !== null && file.providerObjectId !== known;
}

export function deletionOf(path: string): PulledFile {
  const nothing = { encoding: null, contentType: null, providerObjectId: null, semantics: null };
  return { path, deleted: true, content: '', ...nothing };
}

export function payloadOf(file: PulledFile): Readonly<Record<string, unknown>> {
  if (file.deleted) return { event_type: 'file.deleted', path: file.path };
  const { path, content, encoding, contentType, providerObjectId, semantics } = file;
  return {
    event_type: 'file.updated',
    path,
    data: {
      content,
      ...(encoding === null ? {} : { encoding }),
      ...(contentType === null ? {} : { contentType }),
      ...(providerObjectId === null ? {} : { providerObjectId }),
      ...(semantics === null ? {} : { semantics }),
    },
  };
}
