// The schemas of a tool in two forms: the whole one, which arguments and answers are checked with, and the short one that clients load with
// the list of tools. Both have the same members.
import { fromJsonSchema, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { ToolSpec } from '../contract/mcp.ts';
import { coerceArguments } from './arguments.ts';

type Schema = Readonly<Record<string, unknown>>;
type Members = Readonly<Record<string, Schema>>;
type Standard = StandardSchemaWithJSON<unknown, unknown>;

interface ToolSchemas {
  readonly input: Standard;
  readonly output: Standard;
}

const compiled = new Map<string, ToolSchemas>();

/** Compiled once for all servers. */
export function toolSchemas({ name, input, output }: ToolSpec): ToolSchemas {
  let schemas = compiled.get(name);
  if (schemas === undefined) {
    schemas = {
      input: listed(shortInput(input as Schema), input, (value) => coerceArguments(input, value)),
      output: listed(shortOutput(output as Schema), output, (value) => value),
    };
    compiled.set(name, schemas);
  }
  return schemas;
}

/** Clients get the short schema, `whole` is what is checked. */
function listed(short: Schema, whole: unknown, prepare: (value: unknown) => unknown): Standard {
  const check = fromJsonSchema<unknown>(whole as never)['~standard'];
  const schema = fromJsonSchema<unknown>(short as never);
  return {
    ...schema,
    '~standard': { ...schema['~standard'], validate: (value: unknown) => check.validate(prepare(value)) },
  };
}

/** What a model does not exceed in practice; a refusal names it. */
const uncommonKeywords: ReadonlySet<string> = new Set([
  'additionalProperties',
  'maxItems',
  'maxLength',
  'minimum',
  'minItems',
  'minLength',
  'pattern',
]);

/** Types, names, words, maxima and descriptions. */
export function shortInput(schema: Schema): Schema {
  const members = Object.entries(schema)
    .filter(([keyword]) => !uncommonKeywords.has(keyword))
    .map(([keyword, value]) => {
      if (keyword === 'items') return [keyword, shortInput(value as Schema)];
      return keyword === 'properties'
        ? [keyword, eachMember(value as Members, shortInput)]
        : [keyword, value];
    });
  return Object.fromEntries(members);
}

/** Types of the members, and names of what is below them: an answer shows the rest. */
export function shortOutput({ properties }: Schema): Schema {
  return { type: 'object', properties: eachMember(properties as Members, shortMember) };
}

function shortMember({ type, items, properties }: Schema): Schema {
  if (items !== undefined) return { type, items: shortMember(items as Schema) };
  return properties === undefined ? { type } : { type, description: namesOf(properties as Members) };
}

/** `path, matches (line, text)` */
function namesOf(members: Members): string {
  return Object.entries(members)
    .map(([name, { items, properties }]) => {
      const below = properties ?? (items as Schema | undefined)?.properties;
      return below === undefined ? name : `${name} (${namesOf(below as Members)})`;
    })
    .join(', ');
}

function eachMember(members: Members, short: (schema: Schema) => Schema): Members {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, short(member)]));
}
