// Turns answers of the other server into results and errors of a remote. Pure.
import { MooringError, NoAnswerError, UnauthorizedError } from '../../../sdk/index.ts';
import { sha256Hex } from '../../platform/crypto/hashes.ts';
import {
  type RemoteEvent,
  type RemoteRead,
  RemoteRefusedError,
  RemoteUnauthorizedError,
  RemoteUnavailableError,
  type RemoteVersion,
} from './remote-server.ts';

/** Of the content identities of remotes. */
export const identityKind = 'mooring-remote';

const markSeparator = '~';
const markLength = 16;

export function failedRead(status: number, message: string): RemoteRead {
  if (status === 404) return { kind: 'missing' };
  if (status === 403) return { kind: 'forbidden' };
  return { kind: 'failed', message };
}

/** Answers that concern the whole remote become errors of their own; others, for one file, stay a MooringError. */
function errorOf(error: unknown): unknown {
  if (error instanceof NoAnswerError) return new RemoteUnavailableError(error.message, null, error);
  if (error instanceof UnauthorizedError) return new RemoteUnauthorizedError(error.message);
  if (!(error instanceof MooringError)) return error;
  const { status, code, message, retryAfterMs } = error;
  if (status >= 300 && status < 400)
    return new RemoteRefusedError(
      'the server redirects to another address, which is not followed: use that address instead',
    );
  if (code === 'workspace_not_found') return new RemoteRefusedError(message);
  if (status === 429 || status >= 500) return new RemoteUnavailableError(message, retryAfterMs, error);
  return error;
}

/** The same for calls about the workspace: a token that may not even list it is refused. */
export function wholeErrorOf(error: unknown): unknown {
  if (error instanceof MooringError && error.status === 403)
    return new RemoteUnauthorizedError(
      `it has too few scopes (${error.message}): create one that may read and write the files of the workspace`,
    );
  return errorOf(error);
}

/** Answers that concern the whole remote are errors of their own. Others, for one file, stay a MooringError. */
export async function ask<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw errorOf(error);
  }
}

/** For calls that the token must allow. */
export async function askWhole<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw wholeErrorOf(error);
  }
}

/** `epoch`: of the server's store; null: it has none. */
export function eventOf(
  event: {
    readonly eventId: string;
    readonly type: string;
    readonly path: string;
    readonly revision: string;
    readonly timestamp: string;
    readonly contentHash?: string;
  },
  epoch: string | null,
): RemoteEvent {
  const { eventId, type, path, revision, contentHash, timestamp } = event;
  const text = `${type} ${path} ${revision} ${Date.parse(timestamp)} ${epoch ?? ''}`.trimEnd();
  const mark = sha256Hex(text).slice(0, markLength);
  return { cursor: `${eventId}${markSeparator}${mark}`, type, path, revision, hash: contentHash ?? null };
}

/** The cursor as the server knows it. Ours also says which event it was: another server, or one that was reset, may use its number again. */
export function eventIdOf(cursor: string): string {
  return cursor.split(markSeparator, 1)[0] ?? cursor;
}

/** true: the cursor is that of this event. */
export function isCursorOf(event: RemoteEvent | undefined, cursor: string): boolean {
  if (event === undefined) return false;
  return cursor.includes(markSeparator) ? event.cursor === cursor : eventIdOf(event.cursor) === cursor;
}

export function versionOf(file: {
  readonly path: string;
  readonly content: string;
  readonly contentType: string;
  readonly encoding?: 'base64';
}): Omit<RemoteVersion, 'revision' | 'semantics'> {
  const { path, content, contentType, encoding = 'utf-8' } = file;
  const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');
  // The hash is that of the bytes, whatever the answer says.
  return { path, hash: sha256Hex(bytes), sizeBytes: bytes.length, bytes, contentType, encoding };
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** The number of `rev_12`; null: another form. */
export function numberOf(id: string, prefix: string): number | null {
  const digits = id.startsWith(prefix) ? id.slice(prefix.length) : '';
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}
