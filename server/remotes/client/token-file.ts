// Reads the token of a remote from its file, again whenever the file changed. The file must be readable by the user alone, and the
// token is in no database, log or argument.
import { readFile, stat } from 'node:fs/promises';
import { parseRecord } from '../../platform/json/json.ts';
import { tokenFileBytesMax } from '../limits.ts';
import { RemoteUnauthorizedError } from './remote-server.ts';

/** Permissions of others than the owner. */
const othersMask = 0o077;

export class TokenFile {
  readonly path: string;
  #known: { readonly identity: string; readonly token: string } | null = null;

  constructor(path: string) {
    this.path = path;
  }

  /** Changes with the file, also while it is missing or unreadable. */
  async state(): Promise<string> {
    const found = await stat(this.path).catch(() => null);
    return found === null ? 'missing' : `${identityOf(found)} ${found.mode}`;
  }

  /** Rejects with a RemoteUnauthorizedError that names cause and remedy. */
  async read(): Promise<string> {
    const found = await stat(this.path).catch((error: NodeJS.ErrnoException) => {
      throw new RemoteUnauthorizedError(
        `the token file ${this.path} cannot be read (${error.code ?? error.message}): put the token into it`,
      );
    });
    if (!found.isFile() || found.size > tokenFileBytesMax)
      throw new RemoteUnauthorizedError(`${this.path} is not a token file: it must contain the token alone`);
    if (process.platform !== 'win32' && (found.mode & othersMask) !== 0)
      throw new RemoteUnauthorizedError(
        `other users can read ${this.path}: run "chmod 600" on it and try again`,
      );
    const identity = identityOf(found);
    if (this.#known?.identity === identity) return this.#known.token;
    const token = (await readFile(this.path, 'utf8')).trim();
    if (!/^[\x21-\x7e]+$/.test(token))
      throw new RemoteUnauthorizedError(`the token file ${this.path} contains no token`);
    this.#known = { identity, token };
    return token;
  }
}

function identityOf({
  mtimeMs,
  ctimeMs,
  size,
  ino,
}: Readonly<Record<'mtimeMs' | 'ctimeMs' | 'size' | 'ino', number>>): string {
  return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
}

/** When the token ends, from its claims, which are not verified here; null: it does not say. */
export function tokenExpiresAtMs(token: string): number | null {
  const { exp } = claimsOf(token);
  return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : null;
}

/** The workspace that the token is for; null: it does not say. */
export function tokenWorkspaceId(token: string): string | null {
  const { workspace_id: workspaceId } = claimsOf(token);
  return typeof workspaceId === 'string' && /^[A-Za-z0-9][\w-]{0,255}$/.test(workspaceId)
    ? workspaceId
    : null;
}

function claimsOf(token: string): Readonly<Record<string, unknown>> {
  const [, claims] = token.split('.');
  return parseRecord(Buffer.from(claims ?? '', 'base64url').toString('utf8')) ?? {};
}
