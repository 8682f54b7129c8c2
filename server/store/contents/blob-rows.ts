// Rows of contents: which exist, and how many retained revisions name each. Only the writer uses this; files of large contents are
// written and deleted by blob-files.ts.
import type { Content } from '../../core/change/change.ts';
import { bytesOf } from '../database/rows.ts';
import type { WriteStatements } from '../database/statements.ts';
import { bytesOfInline } from './inline-content.ts';

/** A content that is there already is named once more. */
export const insertBlob = `INSERT INTO blobs (hash, size, refs, bytes) VALUES (?, ?, 1, ?)
  ON CONFLICT (hash) DO UPDATE SET refs = blobs.refs + 1`;
const increment = 'UPDATE blobs SET refs = refs + 1 WHERE hash = ?';

export class BlobRows {
  readonly #statements: WriteStatements;
  readonly #hasFile: (hash: string) => boolean;

  constructor(statements: WriteStatements, hasFile: (hash: string) => boolean) {
    this.#statements = statements;
    this.#hasFile = hasFile;
  }

  /** One more retained revision names this content, which is in the command or staged. */
  add(content: Content): void {
    if ('stored' in content) this.addStored(content.hash);
    else if ('staged' in content) this.#addStaged(content);
    else this.#insert(content.hash, content.sizeBytes, bytesOfInline(content));
  }

  /** One more retained revision names a stored content. */
  addStored(hash: string): void {
    this.#statements.runOne('a stored content is missing', increment, bytesOf(hash));
  }

  /** One retained revision fewer names it. `collect` deletes unreferenced contents. */
  release(hash: Buffer): void {
    this.#statements.runOne(
      'a released content is missing',
      'UPDATE blobs SET refs = refs - 1 WHERE hash = ?',
      hash,
    );
  }

  /** Deletes up to `limit` unreferenced contents. Returns those that had files, to be unlinked after the commit. */
  collect(limit: number): { readonly removed: number; readonly files: readonly string[] } {
    const rows = this.#statements.all<{ id: number; hash: string; stored: number }>(
      `SELECT id, lower(hex(hash)) AS hash, bytes IS NOT NULL AS stored FROM blobs WHERE refs = 0 ORDER BY id LIMIT ?`,
      limit,
    );
    for (const { id } of rows) this.#statements.run('DELETE FROM blobs WHERE id = ?', id);
    return { removed: rows.length, files: rows.filter(({ stored }) => stored === 0).map(({ hash }) => hash) };
  }

  #addStaged({ hash, sizeBytes }: Content): void {
    if (this.#statements.run(increment, bytesOf(hash)).changes === 1) return;
    if (!this.#hasFile(hash)) throw new Error('a staged content has no file');
    this.#insert(hash, sizeBytes, null);
  }

  #insert(hash: string, sizeBytes: number, bytes: Uint8Array | null): void {
    this.#statements.run(insertBlob, bytesOf(hash), sizeBytes, bytes);
  }
}
