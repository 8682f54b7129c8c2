// Translates the texts of tables/ for PostgreSQL. They are written in the SQL that both engines share; what is left differs in
// form only, and is rewritten here once for each text:
//
// - `?` and `@name` become `$1`, `$2`, …
// - `INDEXED BY name` goes: PostgreSQL chooses its indexes itself (https://sqlite.org/lang_indexedby.html is an assertion).
// - names with capitals are quoted, as PostgreSQL folds others to lower case.
// - `INSERT OR REPLACE`, `INSERT OR IGNORE`: `ON CONFLICT` with the primary key of the table.
// - `lower(hex(x))`, `unhex(x)`: encode, decode. `instr(x, y)`: strpos. `CAST(x AS INTEGER)`: 64 bits, as everywhere in SQLite. `x IS ?`: not distinct.
//
// What is no matter of form is written so that both understand it: no bare columns beside an aggregate, no number as a condition,
// a cast where a parameter has no other type.
import { primaryKeys } from './schema/columns.ts';

export interface Translated {
  readonly text: string;
  /** Names of parameters in the order of their numbers; null: parameters by position. */
  readonly names: readonly string[] | null;
}

/** Quoted texts and names stay as they are. */
const pieces = /'(?:[^']|'')*'|"[^"]*"|[^'"]+/g;

export function toPostgres(sql: string): Translated {
  const names: string[] = [];
  let positions = 0;
  const outside = (part: string) =>
    part
      .replace(/\bINDEXED BY \w+/g, '')
      .replace(/\blower\(hex\(([\w.]+)\)\)/g, 'hex($1)')
      .replace(/\bhex\(([\w.]+)\)/g, "coalesce(encode($1, 'hex'), '')")
      .replace(/\binstr\(/g, 'strpos(')
      .replace(/\bCAST\(bytes AS TEXT\)/g, 'bytes')
      .replace(/\bCROSS JOIN (\w+(?: AS \w+)?)(?=\s+ON\b)/g, 'JOIN $1')
      .replace(/(?<=\s)\+(?=[a-z]\w* )/g, '')
      .replace(/\bAS INTEGER\)/g, 'AS bigint)')
      .replace(/\bIS \?/g, 'IS NOT DISTINCT FROM ?')
      .replace(/(?<![@$\w])[a-z][a-z0-9_]*[A-Z]\w*\b/g, '"$&"')
      .replace(/\?|@(\w+)/g, (_found, name: string | undefined) => {
        if (name === undefined) {
          positions += 1;
          return `$${positions}`;
        }
        if (!names.includes(name)) names.push(name);
        return `$${names.indexOf(name) + 1}`;
      });
  const shared = withConflicts(sql).replace(
    jsonText,
    (_found, column: string, place: string) => `(${column}::json #>> '{${place.replaceAll('.', ',')}}')`,
  );
  const text = (shared.match(pieces) ?? [])
    .map((piece) => (piece.startsWith("'") || piece.startsWith('"') ? piece : outside(piece)))
    .join('');
  return { text, names: names.length === 0 ? null : names };
}

/** Of a column with JSON, one text in it. */
const jsonText = /(\w+) ->> '\$\.([\w.]+)'/g;
const insertOr = /^\s*INSERT OR (REPLACE|IGNORE) INTO (\w+)\s*\(([^)]*)\)/;

function withConflicts(sql: string): string {
  const found = insertOr.exec(sql);
  if (found === null) return sql;
  const [whole, verb, table = '', columns = ''] = found;
  const rest = sql.slice(whole.length);
  const insert = `INSERT INTO ${table} (${columns})${rest}`;
  if (verb === 'IGNORE') return `${insert} ON CONFLICT DO NOTHING`;
  const key = primaryKeys[table];
  if (key === undefined) throw new Error(`the table ${table} has no primary key to replace by`);
  const updates = columns
    .split(',')
    .map((column) => column.trim())
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = excluded.${column}`);
  const action = updates.length === 0 ? 'NOTHING' : `UPDATE SET ${updates.join(', ')}`;
  return `${insert} ON CONFLICT (${key.join(', ')}) DO ${action}`;
}
