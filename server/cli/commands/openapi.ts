// mooring openapi: prints the OpenAPI document of the v1 API, generated from the routes. Needs no running agent.
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { parseFolder } from '../shared/arguments.ts';
import { note } from '../shared/output.ts';
import { writingFile } from '../shared/system-errors.ts';

export function registerOpenapi(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document')
    .option('--output <FILE>', 'output file (default: stdout)', parseFolder)
    .action(openapi);
}

async function openapi(options: { readonly output?: string }): Promise<void> {
  const { openApiText } = await import('../../agent.ts');
  const text = await openApiText();
  if (options.output === undefined) {
    process.stdout.write(text);
    return;
  }
  const { output } = options;
  writingFile(output, () => writeFileSync(output, text));
  note(output);
}
