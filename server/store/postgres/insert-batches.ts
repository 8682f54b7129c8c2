// Inserts of a group into tables that only grow, sent as one statement a table with one array a column: a tenth of the server's work.
//
// They wait until the group sends its statements, or until a statement names their table, whichever comes first.
import { insertBlob } from '../contents/blob-rows.ts';
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
  /** The statement for any number of rows. */
  readonly sql: string;
  /** The values of that statement. */
  readonly arraysOf: (rows: readonly (readonly unknown[])[]) => readonly unknown[];
}

interface Batch {
  readonly shape: Shape;
  readonly one: string;
  readonly rows: (readonly unknown[])[];
  readonly bytes: number;
}

/** Contents with how often the group names them: the row of one, such as the empty file, is written once. */
const blobs: Shape = {
  table: 'blobs',
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

export class InsertBatches {
  readonly #shapes = new Map<string, Shape | null>();
  readonly #open = new Map<string, Batch>();

  get isFull(): boolean {
    return [...this.#open.values()].some(({ rows, bytes }) => rows.length >= rowsMax || bytes >= bytesMax);
  }

  /** Returns false when the statement is none that waits. */
  add(sql: string, values: readonly unknown[]): boolean {
    const shape = this.#shapeOf(sql);
    if (shape === null) return false;
    const batch = this.#open.get(shape.table);
    if (batch !== undefined && batch.one !== sql) return false;
    const { rows, bytes }: Pick<Batch, 'rows' | 'bytes'> = batch ?? { rows: [], bytes: 0 };
    rows.push(values);
    const content = values.at(-1);
    const added = content instanceof Uint8Array ? content.byteLength : 0;
    this.#open.set(shape.table, { shape, one: sql, rows, bytes: bytes + added });
    return true;
  }

  /** What has to be sent before `sql`; null: all that waits. Those that are returned no longer wait. */
  take(sql: string | null): readonly Statement[] {
    if (this.#open.size === 0) return [];
    const taken = [...this.#open.values()].filter(({ shape }) => sql === null || names(sql, shape.table));
    for (const { shape } of taken) this.#open.delete(shape.table);
    return taken.map(({ shape, one, rows }) =>
      rows.length === 1
        ? { sql: one, values: rows[0] ?? [] }
        : { sql: shape.sql, values: shape.arraysOf(rows) },
    );
  }

  clear(): void {
    this.#open.clear();
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

const plainInsert = /^INSERT INTO (\w+) \(([^()]+)\)\s+VALUES \(([^()]+)\)$/;

/** null: not an insert of plain values into one of the tables that only grow. */
function shapeOf(sql: string): Shape | null {
  if (sql === insertBlob) return blobs;
  const [, table = '', columns = '', given = ''] = plainInsert.exec(sql.trim()) ?? [];
  const types = columnTypes(table);
  if (types === null) return null;
  const names = listOf(columns);
  const values = listOf(given);
  if (!values.every((value) => value === '?' || /^(\d+|NULL)$/.test(value))) return null;
  const asked = names.filter((_name, at) => values[at] === '?');
  const arrays = asked.map((name) => `CAST(? AS ${typeOf(types, name)}[])`);
  const row = names.map((name, at) => (values[at] === '?' ? `row.${name}` : values[at]));
  return {
    table,
    sql: `INSERT INTO ${table} (${names.join(', ')}) SELECT ${row.join(', ')}
      FROM unnest(${arrays.join(', ')}) AS row (${asked.join(', ')})`,
    arraysOf: (rows) => asked.map((_name, at) => rows.map((row) => row[at])),
  };
}

function typeOf(types: ReadonlyMap<string, string>, column: string): string {
  const type = types.get(column);
  if (type === undefined) throw new Error(`the schema does not say the type of the column ${column}`);
  return type;
}

function listOf(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
}

function names(sql: string, table: string): boolean {
  return new RegExp(`\\b${table}\\b`).test(sql);
}
