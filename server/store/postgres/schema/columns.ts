// What other parts know of the tables: their names, the columns by which a row is replaced, and the types of columns.
import { contentTables } from './content-tables.ts';
import { machineTables } from './machine-tables.ts';
import { queueTables } from './queue-tables.ts';

/** Each after those that it refers to. */
export const agentTables = [contentTables, queueTables, machineTables].join('');

/** By which columns a row is replaced (dialect.ts). */
export const primaryKeys: Readonly<Record<string, readonly string[]>> = {
  mirror_base: ['mirror_id', 'path'],
  mirror_conflicts: ['mirror_id', 'conflict_id'],
  mirror_proofs: ['mirror_id'],
  remote_base: ['remote_id', 'path'],
  remote_sent: ['remote_id', 'path'],
  remote_conflicts: ['remote_id', 'conflict_id'],
  watermarks: ['workspace', 'provider', 'key'],
  internal_signatures: ['signature'],
  sent_contents: ['workspace', 'path'],
  provider_objects: ['workspace', 'provider', 'object_id'],
  identities: ['workspace', 'kind', 'key'],
  access_rules: ['workspace', 'path', 'is_marker'],
  fork_paths: ['fork', 'path'],
  meta: ['key'],
  labels: ['workspace', 'kind', 'name', 'value', 'path'],
};

/** Tables that an agent has as well, each after those that it refers to. */
export const tableNames: readonly string[] = [...agentTables.matchAll(/CREATE TABLE (\w+)/g)].map(
  ([, name = '']) => name,
);

/** Tables whose rows a group writes by the hundred (insert-batches.ts). */
const growing = ['history', 'events', 'operations', 'entries'] as const;

const typesOfGrowing = new Map(
  growing.map((table) => {
    const [, body = ''] =
      new RegExp(`CREATE TABLE ${table} \\(\\n([\\s\\S]*?)\\n  \\);`).exec(agentTables) ?? [];
    return [table as string, new Map([...body.matchAll(/^ +([a-z]\w*) (bigint|text|bytea)\b/gm)].map(pair))];
  }),
);

function pair([, name = '', type = '']: RegExpMatchArray): readonly [string, string] {
  return [name, type];
}

/** Of a table that only grows, its columns and their types; null: it is none. */
export function columnTypes(table: string): ReadonlyMap<string, string> | null {
  return typesOfGrowing.get(table) ?? null;
}
