// Rows that a group inserts into tables that only grow, and those of `entries` that it writes: sent as one statement a table and kind of
// statement, with one array a column. That is a tenth of the server's work.
//
// They wait until the group sends its statements, or until a statement names their table, whichever comes first.
import { insertBlob } from '../contents/blob-rows.ts';
import { insertFile, updateFile } from '../tables/change/write-decision.ts';
import { storeDirectory } from '../tables/files/directories.ts';
import { columnTypes } from './schema/columns.ts';

/** Rows of a table that are sent as one statement. */
const rowsMax = 2_000;
/** Bytes of contents that are sent as one statement: they travel as text, and are in memory several times meanwhile. */
const bytesMax = 4 * 1024 * 1024;

interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

interface Shape {
  readonly table: string;
  /** Positions of the values by which a row is found; null: no other statement that waits writes it. */
  readonly key: readonly number[] | null;
  /** Writes all of a row whether it was there or not: of two, the last one counts. */
  readonly replaces: boolean;
  /** The statement for any number of rows. */
  readonly sql: string;
  /** The values of that statement. */
  readonly arraysOf: (rows: readonly (readonly unknown[])[]) => readonly unknown[];
}

interface Batch {
  readonly shape: Shape;
  /** By their key. */
  readonly rows: Map<unknown, readonly unknown[]>;
  bytes: number;
}

/** Contents with how often the group names them: the row of one, such as the empty file, is written once. */
const blobs: Shape = {
  table: 'blobs',
  key: null,
  replaces: false,
  sql: `INSERT INTO blobs (hash, size, refs, bytes) SELECT row.hash, row.size, row.refs, row.bytes
    FROM unnest(CAST(? AS bytea[]), CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS bytea[])) AS row (hash, size, refs, bytes)
    ON CONFLICT (hash) DO UPDATE SET refs = blobs.refs + excluded.refs`,
  arraysOf(rows) {
    const byHash = new Map<string, { readonly row: readonly unknown[]; refs: number }>();
    for (const row of rows) {
      const key = (row[0] as Buffer).toString('hex');
      const named = byHash.get(key);
      if (named === undefined) byHash.set(key, { row, refs: 1 });
      else named.refs += 1;
    }
    const contents = [...byHash.values()];
    const column = (at: number) => contents.map(({ row }) => row[at]);
    return [column(0), column(1), contents.map(({ refs }) => refs), column(2)];
  },
};

/** By key, not as an UPDATE with a join: without statistics of a new database the planner reads the whole table for one. */
const files: Shape = {
  table: 'entries',
  key: [8, 9],
  replaces: true,
  ...upsertOf(
    [
      'updated_at',
      'revision',
      'hash',
      'size',
      'content_type',
      'base64',
      'provider_object_id',
      'semantics',
      'workspace',
      'path',
    ],
    ['updated_at', 'revision', 'hash', 'size', 'content_type', 'base64', 'provider_object_id', 'semantics'],
  ),
};

const directories: Shape = {
  table: 'entries',
  key: [0, 1],
  replaces: true,
  ...upsertOf(['workspace', 'path', 'files', 'updated_at', 'top'], ['files', 'updated_at']),
};

function upsertOf(columns: readonly string[], updated: readonly string[]): Pick<Shape, 'sql' | 'arraysOf'> {
  return {
    sql: `INSERT INTO entries (${columns.join(', ')}) SELECT ${columns.map((name) => `row.${name}`).join(', ')}
      FROM ${unnest('entries', columns)}
      ON CONFLICT (workspace, path) DO UPDATE SET ${updated.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    arraysOf: (rows) => columns.map((_name, at) => rows.map((row) => row[at])),
  };
}

export class InsertBatches {
  readonly #shapes = new Map<string, Shape | null>();
  /** By the statement of one row. */
  readonly #open = new Map<string, Batch>();

  get isFull(): boolean {
    return [...this.#open.values()].some(({ rows, bytes }) => rows.size >= rowsMax || bytes >= bytesMax);
  }

  /** Returns false when the statement is none that waits. */
  add(sql: string, values: readonly unknown[]): boolean {
    const shape = this.#shapeOf(sql);
    if (shape === null) return false;
    const key = keyOf(shape, values);
    if (this.#isAfterAnother(sql, shape, key)) return false;
    let batch = this.#open.get(sql);
    if (batch === undefined) {
      batch = { shape, rows: new Map(), bytes: 0 };
      this.#open.set(sql, batch);
    }
    batch.rows.set(key, values);
    const content = values.at(-1);
    if (content instanceof Uint8Array) batch.bytes += content.byteLength;
    return true;
  }

  /** What has to be sent before `sql`; null: all that waits. Those that are returned no longer wait. */
  take(sql: string | null): readonly Statement[] {
    if (this.#open.size === 0) return [];
    const taken = [...this.#open].filter(([, { shape }]) => sql === null || names(sql, shape.table));
    for (const [one] of taken) this.#open.delete(one);
    return taken.map(([one, { shape, rows }]) => {
      const [first, ...more] = rows.values();
      return more.length === 0
        ? { sql: one, values: first ?? [] }
        : { sql: shape.sql, values: shape.arraysOf([...rows.values()]) };
    });
  }

  clear(): void {
    this.#open.clear();
  }

  /** Does another statement that waits write the same row? It stays before this one. */
  #isAfterAnother(sql: string, { table, replaces }: Shape, key: unknown): boolean {
    for (const [other, { shape, rows }] of this.#open) {
      if (shape.table !== table || (other === sql && replaces)) continue;
      if (rows.has(key) || (other !== sql && shape.key === null)) return true;
    }
    return false;
  }

  #shapeOf(sql: string): Shape | null {
    let shape = this.#shapes.get(sql);
    if (shape === undefined) {
      shape = shapeOf(sql);
      this.#shapes.set(sql, shape);
    }
    return shape;
  }
}

/** A path that is no Unicode is stored with replacement characters. */
function keyOf({ key }: Shape, values: readonly unknown[]): unknown {
  return key === null ? Symbol() : key.map((at) => String(values[at]).toWellFormed()).join('\0');
}

const plainInsert = /^INSERT INTO (\w+) \(([^()]+)\)\s+VALUES \(([^()]+)\)$/;

/** null: not an insert of plain values into one of the tables that only grow. */
function shapeOf(sql: string): Shape | null {
  if (sql === insertBlob) return blobs;
  if (sql === updateFile) return files;
  if (sql === storeDirectory) return directories;
  const [, table = '', columns = '', given = ''] = plainInsert.exec(sql.trim()) ?? [];
  const types = columnTypes(table);
  if (types === null) return null;
  const names = listOf(columns);
  const values = listOf(given);
  if (!values.every((value) => value === '?' || /^(\d+|NULL)$/.test(value))) return null;
  const asked = names.filter((_name, at) => values[at] === '?');
  const row = names.map((name, at) => (values[at] === '?' ? `row.${name}` : values[at]));
  return {
    table,
    key: sql === insertFile ? [0, 1] : null,
    replaces: false,
    sql: `INSERT INTO ${table} (${names.join(', ')}) SELECT ${row.join(', ')}
      FROM ${unnest(table, asked)}`,
    arraysOf: (rows) => asked.map((_name, at) => rows.map((row) => row[at])),
  };
}

/** Rows from an array for each of these columns. */
function unnest(table: string, columns: readonly string[]): string {
  const arrays = columns.map((name) => `CAST(? AS ${typeOf(table, name)}[])`);
  return `unnest(${arrays.join(', ')}) AS row (${columns.join(', ')})`;
}

function typeOf(table: string, column: string): string {
  const type = columnTypes(table)?.get(column);
  if (type === undefined) throw new Error(`the schema does not say the type of the column ${column}`);
  return type;
}

function listOf(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
}

function names(sql: string, table: string): boolean {
  return new RegExp(`\\b${table}\\b`).test(sql);
}
