// Where the sign-in sessions are kept: in a file that only this user may read, or shared by the processes of a hub. Ids, names and public
// keys, nothing with which to sign in. Outside of what a backup restores, so that no session comes back that was ended.
import { readPrivateFile, replacePrivateFile } from '../platform/files/private-files.ts';
import { parseRecord } from '../platform/json/json.ts';
import type { SharedTexts } from '../store/port/store.ts';
import type { BrowserKey } from './browser-proof.ts';

export interface SignInSession {
  readonly sessionId: string;
  /** Of the browser, for people. */
  readonly name: string;
  /** Of the page; null: a program that sent none. */
  readonly origin: string | null;
  /** null: a page that cannot keep a key; its token is renewed with itself. */
  readonly key: BrowserKey | null;
  /** The user whose rights it has; null: the owner. */
  readonly userId: string | null;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
}

export interface SignInSessionStore {
  /** What all processes know of now. */
  all(): Promise<readonly SignInSession[]>;
  /** Durable when it resolves. */
  put(session: SignInSession): Promise<void>;
  /** As `put`, unless the session was ended meanwhile. */
  replace(session: SignInSession): Promise<void>;
  /** Durable when it resolves. */
  remove(sessionIds: readonly string[]): Promise<void>;
}

interface Stored {
  readonly ownerTokenId: string;
  readonly sessions: readonly SignInSession[];
}

/** Of an agent. A damaged file, or one of another owner token, has no sessions: everybody signs in again. */
export class SignInSessionFile implements SignInSessionStore {
  readonly #file: string;
  readonly #ownerTokenId: string;
  readonly #sessions: Map<string, SignInSession>;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(file: string, ownerTokenId: string) {
    this.#file = file;
    this.#ownerTokenId = ownerTokenId;
    this.#sessions = new Map(readStored(file, ownerTokenId).map((session) => [session.sessionId, session]));
  }

  async all(): Promise<readonly SignInSession[]> {
    return [...this.#sessions.values()];
  }

  async put(session: SignInSession): Promise<void> {
    this.#sessions.set(session.sessionId, session);
    await this.#write();
  }

  async replace(session: SignInSession): Promise<void> {
    if (this.#sessions.has(session.sessionId)) await this.put(session);
  }

  async remove(sessionIds: readonly string[]): Promise<void> {
    for (const sessionId of sessionIds) this.#sessions.delete(sessionId);
    await this.#write();
  }

  /** One state after the other; resolves when a state at least as new as that of the call is durable. */
  async #write(): Promise<void> {
    const content: Stored = { ownerTokenId: this.#ownerTokenId, sessions: [...this.#sessions.values()] };
    const write = async () => await replacePrivateFile(this.#file, `${JSON.stringify(content, null, 2)}\n`);
    // One that failed does not stop the next one.
    this.#lastWrite = this.#lastWrite.then(write, write);
    await this.#lastWrite;
  }
}

/** Of a hub. */
export class SharedSignInSessions implements SignInSessionStore {
  readonly #texts: SharedTexts;

  constructor(texts: SharedTexts) {
    this.#texts = texts;
  }

  async all(): Promise<readonly SignInSession[]> {
    const parsed: readonly unknown[] = [...(await this.#texts.all()).values()].map(parseRecord);
    return parsed.map(withUser).filter(isSession);
  }

  async put(session: SignInSession): Promise<void> {
    await this.#texts.put(session.sessionId, JSON.stringify(session));
  }

  async replace(session: SignInSession): Promise<void> {
    await this.#texts.replace(session.sessionId, JSON.stringify(session));
  }

  async remove(sessionIds: readonly string[]): Promise<void> {
    await this.#texts.remove(sessionIds);
  }
}

function readStored(file: string, ownerTokenId: string): readonly SignInSession[] {
  const text = readPrivateFile(file);
  const stored = text === null ? null : parseRecord(text);
  if (stored === null || stored.ownerTokenId !== ownerTokenId || !Array.isArray(stored.sessions)) return [];
  return (stored.sessions as readonly unknown[]).map(withUser).filter(isSession);
}

/** A session of before there were users names none. */
function withUser(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? { userId: null, ...value } : value;
}

function isSession(value: unknown): value is SignInSession {
  if (typeof value !== 'object' || value === null) return false;
  const { sessionId, name, origin, key, userId, createdAtMs, lastUsedAtMs } = value as Record<
    keyof SignInSession,
    unknown
  >;
  return (
    typeof sessionId === 'string' &&
    typeof name === 'string' &&
    (origin === null || typeof origin === 'string') &&
    (key === null || isKey(key)) &&
    (userId === null || typeof userId === 'string') &&
    Number.isSafeInteger(createdAtMs) &&
    Number.isSafeInteger(lastUsedAtMs)
  );
}

function isKey(value: unknown): boolean {
  const { x, y } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof x === 'string' && typeof y === 'string';
}
