// Inserts of a group into tables that only grow, sent as one statement a table with one array a column: a tenth of the server's work.
//
// They wait until the group sends its statements, or until a statement names their table, whichever comes first.
import { columnTypes } from './schema.ts';

/** Rows of a table that are sent as one statement. */
const rowsMax = 2_000;

interface Shape {
  readonly table: string;
  /** The statement for any number of rows. */
  readonly sql: string;
}

interface Batch {
  readonly shape: Shape;
  readonly one: string;
  readonly rows: (readonly unknown[])[];
}

export class InsertBatches {
  readonly #shapes = new Map<string, Shape | null>();
  readonly #open = new Map<string, Batch>();

  get isFull(): boolean {
    return [...this.#open.values()].some(({ rows }) => rows.length >= rowsMax);
  }

  /** Returns false when the statement is none that waits. */
  add(sql: string, values: readonly unknown[]): boolean {
    const shape = this.#shapeOf(sql);
    if (shape === null) return false;
    const batch = this.#open.get(shape.table);
    if (batch === undefined) this.#open.set(shape.table, { shape, one: sql, rows: [values] });
    else if (batch.one === sql) batch.rows.push(values);
    else return false;
    return true;
  }

  /** What has to be sent before `sql`; null: all that waits. Those that are returned no longer wait. */
  take(sql: string | null): readonly { readonly sql: string; readonly values: readonly unknown[] }[] {
    if (this.#open.size === 0) return [];
    const taken = [...this.#open.values()].filter(({ shape }) => sql === null || names(sql, shape.table));
    for (const { shape } of taken) this.#open.delete(shape.table);
    return taken.map(({ shape, one, rows }) =>
      rows.length === 1
        ? { sql: one, values: rows[0] ?? [] }
        : { sql: shape.sql, values: (rows[0] ?? []).map((_value, at) => rows.map((row) => row[at])) },
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
