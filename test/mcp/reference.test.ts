// The reference of the tools in docs/mcp-tools.md is what the schemas say. `npx vitest run test/mcp/reference.test.ts -u` writes it.
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ToolSpec } from '../../server/contract/mcp.ts';
import { tools } from '../../server/mcp/tools/all.ts';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

const file = path.resolve(import.meta.dirname, '../../docs/mcp-tools.md');

test('the reference of the tools is what the schemas say', async () => {
  await expect(reference(tools.map(({ spec }) => spec))).toMatchFileSnapshot(file);
});

function reference(specs: readonly ToolSpec[]): string {
  const head = [
    '# Tools of the MCP server',
    'Generated from the schemas. [Connect an agent](agents.md) explains how to use them.',
    'Arguments of several tools: `runId` is the run to work in. `dryRun` shows the effect and changes nothing. `confirm` is required for more than 20 files. ' +
      '`cursor` is `nextCursor` of the answer before. `maxCharacters` limits the answer.',
    '',
  ].join('\n\n');
  return `${head.trimEnd()}\n${specs.map(section).join('')}`;
}

function section({ name, description, input, output, effect }: ToolSpec): string {
  const members = Object.entries((input as Schema).properties ?? {});
  const rows = members.map(([member, schema]) => row(member, schema, isRequired(input as Schema, member)));
  const table =
    rows.length === 0 ? 'No arguments.\n' : `| argument | type | |\n|---|---|---|\n${rows.join('')}`;
  const answer = Object.keys((output as Schema).properties ?? {}).map((member) => `\`${member}\``);
  const kind = effect === 'reads' ? 'Reads only.' : 'Writes.';
  return `\n## ${name}\n\n${description} ${kind}\n\n${table}\nAnswer: ${answer.join(', ')}.\n`;
}

function row(member: string, schema: Schema, required: boolean): string {
  const { description, default: value } = schema;
  const words = schema.enum?.map((word) => `\`${word}\``).join(', ');
  const standard = value === undefined ? undefined : `Default ${String(value)}`;
  const text = [description, words, standard].filter((part) => part !== undefined).join('. ');
  return `| \`${member}\`${required ? '' : ' (optional)'} | ${typeOf(schema)} | ${text.replaceAll('|', '\\|')} |\n`;
}

function typeOf({ type, items }: Schema): string {
  return items === undefined ? (type ?? '') : `list of ${typeOf(items)}`;
}

function isRequired({ required = [] }: Schema, member: string): boolean {
  return required.includes(member);
}
