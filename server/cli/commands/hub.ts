// mooring hub key|import|new-epoch: what a hub needs besides "mooring serve --database".
import type { Command } from 'commander';
import { parseFolder } from '../shared/arguments.ts';
import { failure } from '../shared/failure.ts';
import { note } from '../shared/output.ts';

/** Fewer are copied before a person reads of them. */
const rowsShownMin = 10_000;

export function registerHub(program: Command): void {
  const hub = program.command('hub').description('prepare a hub on PostgreSQL: key, import, new-epoch');
  hub
    .command('key')
    .description('make the key that seals the secrets of a hub')
    .argument('<FILE>', 'new file, the same for every process of the hub', parseFolder)
    .action(key);
  hub
    .command('import')
    .description('copy the backup of an agent into the empty database of a hub')
    .argument('<DIR>', 'backup of an agent, made with "mooring backup"', parseFolder)
    .requiredOption('--database <URL>', 'database of the hub, which no process uses')
    .addHelpText('after', '\nTokens, mirrors and remotes are not copied: they belong to the agent.')
    .action(importBackup);
  hub
    .command('new-epoch')
    .description('after the restore of a dump, before the first start')
    .requiredOption('--database <URL>', 'database of the hub, which no process uses')
    .action(newEpoch);
}

async function key(file: string): Promise<void> {
  const { AgentStartError, makeMasterKey } = await import('../../agent.ts');
  try {
    makeMasterKey(file);
  } catch (error) {
    if (error instanceof AgentStartError) throw failure(error.message, error.remedy);
    throw error;
  }
  note(`Wrote the master key to ${file}. Keep a copy apart from the backups of the database.`);
}

async function importBackup(dir: string, { database }: { readonly database: string }): Promise<void> {
  const { AgentStartError, importIntoHub } = await import('../../agent.ts');
  const onTable = (table: string, rows: number) => {
    if (rows >= rowsShownMin) note(`Copying ${rows.toLocaleString('en-US')} rows of ${table}.`);
  };
  try {
    const rows = await importIntoHub(dir, database, onTable);
    const count = (table: string) => (rows.get(table) ?? 0).toLocaleString('en-US');
    note(
      `Imported ${count('workspaces')} workspaces with ${count('history')} revisions. Create a token for each member, and enter the secrets of providers and webhooks again.`,
    );
  } catch (error) {
    if (error instanceof AgentStartError) throw failure(error.message, error.remedy);
    throw error;
  }
}

async function newEpoch({ database }: { readonly database: string }): Promise<void> {
  const { AgentStartError, beginHubEpoch } = await import('../../agent.ts');
  try {
    await beginHubEpoch(database);
  } catch (error) {
    if (error instanceof AgentStartError) throw failure(error.message, error.remedy);
    throw error;
  }
  note('The hub continues in a new epoch: desktops compare their files with it once more.');
}
