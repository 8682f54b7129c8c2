// The cursor of a search: sealed, because its position may name what the caller may not read.
import { createHash } from 'node:crypto';
import { createSecretBox, type SecretBox } from '../platform/crypto/secret-box.ts';
import { type SearchQuery, SearchQueryError } from './search-query.ts';

export class SearchCursors {
  readonly #box: SecretBox;

  constructor(key: Uint8Array) {
    this.#box = createSecretBox(key, 'search cursor');
  }

  seal(query: SearchQuery, position: unknown): string {
    return this.#box.seal(JSON.stringify([identityOf(query), position]));
  }

  /** undefined: the first page. Throws a SearchQueryError for a cursor of another search or another index. */
  open<Position>(query: SearchQuery): Position | undefined {
    if (query.cursor === null) return undefined;
    const text = this.#box.open(query.cursor);
    const [identity, position] = text === null ? [] : (JSON.parse(text) as [string, Position]);
    if (identity !== identityOf(query) || position === undefined)
      throw new SearchQueryError(
        'invalid cursor: use the nextCursor of the same search, or start without one',
      );
    return position;
  }
}

/** What a search finds does not depend on the rest. */
function identityOf(query: SearchQuery): string {
  const { workspaceId, q, mode, path, glob, provider, changedSinceMs, caseSensitive, forkId } = query;
  const parts = [workspaceId, q, mode, path, glob, provider, changedSinceMs, caseSensitive, forkId];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}
