// What a provider says that it has: its pages read one after the other, and each of its files as it is compared and handed on.
import { normalizeReadPath, providerOf } from '../core/path.ts';
import { sha256Hex } from '../platform/crypto.ts';
import { type Provider, type PulledFile, PullFailedError } from './provider.ts';

const pagesMax = 10_000;
const filesMax = 1_000_000;

/** Throws a PullFailedError where it has too much, or something of another provider. */
export async function readPages(
  provider: Provider,
  name: string,
  id: string,
  signal: AbortSignal,
): Promise<{ files: Map<string, PulledFile>; complete: boolean }> {
  const files = new Map<string, PulledFile>();
  let complete = false;
  let cursor: string | null = null;
  for (let page = 0; page < pagesMax; page += 1) {
    const pulled: Awaited<ReturnType<NonNullable<Provider['pull']>>> | undefined = await provider.pull?.(
      cursor,
      id,
      signal,
    );
    if (pulled === undefined) throw new PullFailedError('it cannot be pulled');
    for (const file of pulled.files) {
      const path = normalizeReadPath(file.path);
      if (providerOf(path) !== name) throw new PullFailedError(`${path} does not belong to ${name}`);
      files.set(path, { ...file, path });
    }
    if (files.size > filesMax) throw new PullFailedError(`it has more than ${filesMax} files`);
    complete ||= pulled.complete;
    if (pulled.nextCursor === null) return { files, complete };
    if (pulled.nextCursor === cursor) throw new PullFailedError('its pages do not end');
    cursor = pulled.nextCursor;
  }
  throw new PullFailedError(`it has more than ${pagesMax} pages`);
}

/** null: not decodable; the intake will say so, with all that was sent. */
export function hashOf(file: PulledFile): string | null {
  const encoding = file.encoding ?? 'utf-8';
  if (encoding === 'base64') return sha256Hex(Buffer.from(file.content, 'base64'));
  return encoding === 'utf-8' || encoding === 'utf8' ? sha256Hex(file.content) : null;
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
