// The sign-in sessions in a file that only this user may read: ids, names and public keys, nothing with which to sign in. Outside the
// database, so that the restore of a backup does not bring back a session that was ended.
import { readPrivateFile, replacePrivateFile } from '../platform/files/private-files.ts';
import { parseRecord } from '../platform/json/json.ts';
import type { BrowserKey } from './browser-proof.ts';

export interface SignInSession {
  readonly sessionId: string;
  /** Of the browser, for people. */
  readonly name: string;
  /** Of the page; null: a program that sent none. */
  readonly origin: string | null;
  /** null: a page that cannot keep a key; its token is renewed with itself. */
  readonly key: BrowserKey | null;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
}

interface Stored {
  readonly ownerTokenId: string;
  readonly sessions: readonly SignInSession[];
}

/** A damaged file, or one of another owner token, has no sessions: everybody signs in again. */
export function readSignInSessions(file: string, ownerTokenId: string): readonly SignInSession[] {
  const text = readPrivateFile(file);
  const stored = text === null ? null : parseRecord(text);
  if (stored === null || stored.ownerTokenId !== ownerTokenId || !Array.isArray(stored.sessions)) return [];
  return (stored.sessions as readonly unknown[]).filter(isSession);
}

function isSession(value: unknown): value is SignInSession {
  if (typeof value !== 'object' || value === null) return false;
  const { sessionId, name, origin, key, createdAtMs, lastUsedAtMs } = value as Record<
    keyof SignInSession,
    unknown
  >;
  return (
    typeof sessionId === 'string' &&
    typeof name === 'string' &&
    (origin === null || typeof origin === 'string') &&
    (key === null || isKey(key)) &&
    Number.isSafeInteger(createdAtMs) &&
    Number.isSafeInteger(lastUsedAtMs)
  );
}

function isKey(value: unknown): boolean {
  const { x, y } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof x === 'string' && typeof y === 'string';
}

/** Writes one state after the other; each call resolves when a state at least as new as its own is durable. */
export function createSignInSessionWriter(file: string, ownerTokenId: string) {
  let last: Promise<void> = Promise.resolve();
  return async (sessions: readonly SignInSession[]): Promise<void> => {
    const content: Stored = { ownerTokenId, sessions };
    const write = async () => await replacePrivateFile(file, `${JSON.stringify(content, null, 2)}\n`);
    // One that failed does not stop the next one.
    last = last.then(write, write);
    await last;
  };
}
