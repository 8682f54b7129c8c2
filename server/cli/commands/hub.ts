// mooring hub key|new-epoch: what a hub needs besides "mooring serve --database".
import type { Command } from 'commander';
import { parseFolder } from '../shared/arguments.ts';
import { failure } from '../shared/failure.ts';
import { note } from '../shared/output.ts';

export function registerHub(program: Command): void {
  const hub = program.command('hub').description('prepare a hub on PostgreSQL: key, new-epoch');
  hub
    .command('key')
    .description('make the key that seals the secrets of a hub')
    .argument('<FILE>', 'new file, the same for every process of the hub', parseFolder)
    .action(key);
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
