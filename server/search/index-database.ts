// The database of the index, beside the store's. It contains no content and can be rebuilt at any time: one row per path, one per content,
// and two full-text tables that know which contents have a word or a trigram. Never a source of what a caller reads.
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { masterKeyBytes } from '../platform/crypto/secret-box.ts';
import { bytesOf } from '../store/database/rows.ts';
import { openForReading, openRebuildable } from '../store/database/sqlite.ts';
import type { SqliteReadStatements, SqliteWriteStatements } from '../store/database/sqlite-statements.ts';
import { foldCase, indexedWords } from './fold.ts';
import { indexFileName } from './index-file.ts';
import { indexBytesMax, indexedFileBytesMax } from './limits.ts';
import { NameBlocks } from './name-blocks.ts';

/** Another number than the one in the file: the index is rebuilt. */
const schemaVersion = 2;

// Contentless: the text is in the store. Words have positions (a fifth of the text), because phrases of common words are in few of the
// texts that have these words; trigrams would need more than the text for them. Contents are numbered once and never change, so what is
// indexed of one cannot be out of date.
const schema = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  -- kind: 0 text, 1 no text, 2 too large, 3 the index was full.
  CREATE TABLE contents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash BLOB NOT NULL UNIQUE,
    kind INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX contents_skipped ON contents (kind) WHERE kind = 3;
  CREATE TABLE files (
    workspace INTEGER NOT NULL,
    path TEXT NOT NULL,
    content INTEGER NOT NULL,
    PRIMARY KEY (workspace, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX files_by_content ON files (content);
  CREATE VIRTUAL TABLE words USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'ascii');
  CREATE VIRTUAL TABLE trigrams USING fts5 (
    text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
  );
  PRAGMA user_version = ${schemaVersion};
`;

const kinds = { text: 0, binary: 1, large: 2, full: 3 } as const;

export interface FileToIndex {
  readonly path: string;
  readonly hash: string;
  readonly sizeBytes: number;
}

/** How far the first walk over all files has come; null: it is complete. */
export interface WalkPosition {
  readonly workspace: number;
  readonly path: string;
}

export interface IndexCounts {
  readonly files: number;
  readonly namesOnly: number;
  readonly bytes: number;
  readonly isFull: boolean;
}

export class IndexDatabase {
  readonly write: SqliteWriteStatements;
  readonly read: SqliteReadStatements;
  readonly names: NameBlocks;
  readonly #file: string;

  private constructor(file: string, write: SqliteWriteStatements, read: SqliteReadStatements) {
    this.#file = file;
    this.write = write;
    this.read = read;
    this.names = new NameBlocks(write);
  }

  /** Creates it when there is none, and again when it belongs to another life of the store (`epoch`), is corrupted, or of another version.
   * `eventNow`: the newest event, from which a new index follows. */
  static open(dataDir: string, epoch: string, eventNow: number): IndexDatabase {
    const file = path.join(dataDir, indexFileName);
    try {
      const opened = IndexDatabase.#connect(file);
      if (opened.#isUsable(epoch, eventNow)) return opened;
      opened.close();
    } catch (error) {
      if (!isCorruption(error)) throw error;
    }
    removeIndex(dataDir);
    const created = IndexDatabase.#connect(file);
    created.#create(epoch, eventNow);
    return created;
  }

  static #connect(file: string): IndexDatabase {
    // Only its owner reads it.
    closeSync(openSync(file, 'a', 0o600));
    const write = openRebuildable(file);
    try {
      return new IndexDatabase(file, write, openForReading(file));
    } catch (error) {
      write.close();
      throw error;
    }
  }

  #isUsable(epoch: string, eventNow: number): boolean {
    return (
      Number(this.write.pragma('user_version')) === schemaVersion &&
      this.#meta('epoch') === epoch &&
      this.indexedThrough <= eventNow
    );
  }

  #create(epoch: string, eventNow: number): void {
    this.write.exec(`BEGIN; ${schema}`);
    this.#setMeta('epoch', epoch);
    this.#setMeta('indexed_through', String(eventNow));
    this.#setMeta('walk', JSON.stringify({ workspace: 0, path: '' } satisfies WalkPosition));
    this.#setMeta('cursor_key', randomBytes(masterKeyBytes).toString('hex'));
    this.write.exec('COMMIT');
  }

  get cursorKey(): Buffer {
    return Buffer.from(this.#meta('cursor_key') ?? '', 'hex');
  }

  get indexedThrough(): number {
    return Number(this.#meta('indexed_through'));
  }

  set indexedThrough(event: number) {
    this.#setMeta('indexed_through', String(event));
  }

  get walk(): WalkPosition | null {
    return JSON.parse(this.#meta('walk') ?? 'null') as WalkPosition | null;
  }

  set walk(position: WalkPosition | null) {
    this.#setMeta('walk', JSON.stringify(position));
  }

  /** The path has this content now. `readText` is called for an unknown content; null: it is no text. Answers the characters that were
   * indexed. */
  put(workspace: number, file: FileToIndex, readText: (hash: string) => string | null): number {
    const before = this.write.get<{ content: number; hash: Buffer }>(
      'SELECT content, hash FROM files JOIN contents ON contents.id = content WHERE workspace = ? AND path = ?',
      workspace,
      file.path,
    );
    const hash = bytesOf(file.hash);
    if (before?.hash.equals(hash)) return 0;
    const { id, characters } = this.#contentOf(file, hash, readText);
    this.write.run(
      'INSERT INTO files (workspace, path, content) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET content = excluded.content',
      workspace,
      file.path,
      id,
    );
    if (before === undefined) this.names.changed(workspace, file.path);
    else this.#release(before.content);
    return characters;
  }

  /** `put` of a file with this content reads no text. */
  hasContent(hash: string): boolean {
    return this.write.get('SELECT 1 FROM contents WHERE hash = ?', bytesOf(hash)) !== undefined;
  }

  /** The path has no file now. */
  remove(workspace: number, filePath: string): void {
    const before = this.write.get<{ content: number }>(
      'SELECT content FROM files WHERE workspace = ? AND path = ?',
      workspace,
      filePath,
    );
    if (before === undefined) return;
    this.write.run('DELETE FROM files WHERE workspace = ? AND path = ?', workspace, filePath);
    this.names.changed(workspace, filePath);
    this.#release(before.content);
  }

  /** Paths of the workspace after `from`, up to `to` (null: all), that the index has. */
  paths(workspace: number, from: string, to: string | null, limit: number): readonly string[] {
    return this.write
      .all<{ path: string }>(
        'SELECT path FROM files WHERE workspace = ? AND path > ? AND (? IS NULL OR path <= ?) ORDER BY path LIMIT ?',
        workspace,
        from,
        to,
        to,
        limit,
      )
      .map((row) => row.path);
  }

  /** Numbers of workspaces that have files here. */
  workspaces(): readonly number[] {
    return this.write
      .all<{ workspace: number }>('SELECT DISTINCT workspace FROM files')
      .map(({ workspace }) => workspace);
  }

  get isFull(): boolean {
    const pages = Number(this.write.pragma('page_count')) - Number(this.write.pragma('freelist_count'));
    return pages * Number(this.write.pragma('page_size')) > indexBytesMax;
  }

  counts(): IndexCounts {
    const count = (sql: string) => this.read.get<{ value: number }>(sql)?.value ?? 0;
    return {
      files: count('SELECT count(*) AS value FROM files'),
      namesOnly: count(`SELECT count(*) AS value FROM contents WHERE kind <> ${kinds.text}`),
      bytes: statSync(this.#file).size,
      isFull: this.hasSkipped,
    };
  }

  /** Contents were not indexed because the index was full. */
  get hasSkipped(): boolean {
    return this.read.get(`SELECT 1 FROM contents WHERE kind = ${kinds.full} LIMIT 1`) !== undefined;
  }

  close(): void {
    this.names.close();
    this.read.close();
    this.write.close();
  }

  #contentOf(
    { hash, sizeBytes }: FileToIndex,
    hashBytes: Buffer,
    readText: (hash: string) => string | null,
  ): { readonly id: number; readonly characters: number } {
    const known = this.write.get<{ id: number }>('SELECT id FROM contents WHERE hash = ?', hashBytes);
    if (known !== undefined) return { id: known.id, characters: 0 };
    const isLarge = sizeBytes > indexedFileBytesMax;
    const isFull = !isLarge && this.isFull;
    const text = isLarge || isFull ? null : readText(hash);
    const kind = isLarge ? kinds.large : isFull ? kinds.full : text === null ? kinds.binary : kinds.text;
    const { lastInsertRowid } = this.write.run(
      'INSERT INTO contents (hash, kind) VALUES (?, ?)',
      hashBytes,
      kind,
    );
    const id = Number(lastInsertRowid);
    if (text !== null) {
      this.write.run('INSERT INTO words (rowid, text) VALUES (?, ?)', id, indexedWords(text));
      this.write.run('INSERT INTO trigrams (rowid, text) VALUES (?, ?)', id, foldCase(text));
    }
    return { id, characters: text?.length ?? 0 };
  }

  /** Removes a content that no path has. */
  #release(content: number): void {
    if (this.write.get('SELECT 1 FROM files WHERE content = ? LIMIT 1', content) !== undefined) return;
    const row = this.write.get<{ kind: number }>('SELECT kind FROM contents WHERE id = ?', content);
    this.write.run('DELETE FROM contents WHERE id = ?', content);
    if (row?.kind !== kinds.text) return;
    this.write.run('DELETE FROM words WHERE rowid = ?', content);
    this.write.run('DELETE FROM trigrams WHERE rowid = ?', content);
  }

  #meta(key: string): string | undefined {
    return this.write.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)?.value;
  }

  #setMeta(key: string, value: string): void {
    this.write.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, value);
  }
}

export function removeIndex(dataDir: string): void {
  const file = path.join(dataDir, indexFileName);
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true });
}

/** SQLite cannot read the file, or it lacks a table: it is rebuilt. */
export function isCorruption(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^SQLITE_(CORRUPT|NOTADB|ERROR|SCHEMA|CONSTRAINT|MISMATCH)/.test(code);
}
