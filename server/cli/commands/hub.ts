// mooring hub init|key|import|new-epoch: what a hub needs besides "mooring serve --database". Its users: hub-users.ts.
import type { Command } from 'commander';
import { parseFolder } from '../shared/arguments.ts';
import { failure } from '../shared/failure.ts';
import { formatCount, note, print, printJson } from '../shared/output.ts';
import { registerHubUsers } from './hub-users.ts';

/** Fewer are copied before a person reads of them. */
const rowsShownMin = 10_000;

export function registerHub(program: Command): void {
  const hub = program.command('hub').description('set up a hub on PostgreSQL and manage its users');
  registerInit(hub);
  registerHubUsers(hub);
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
    .description('begin a new epoch after the restore of a dump')
    .requiredOption('--database <URL>', 'database of the hub, which no process uses')
    .action(newEpoch);
}

interface InitOptions {
  readonly database: string;
  readonly masterKeyFile: string;
  readonly owner?: string;
  readonly email?: string;
  readonly publicUrl: string;
  readonly json?: true;
}

function registerInit(hub: Command): void {
  hub
    .command('init')
    .description('make the key, the tables and the owner of a hub')
    .requiredOption('--database <URL>', 'database of the hub')
    .requiredOption(
      '--master-key-file <FILE>',
      'key that seals the secrets, made if it is missing',
      parseFolder,
    )
    .option('--owner <NAME>', 'user with all rights, who signs in with a link')
    .option('--email <ADDRESS>', 'address of the owner, for an OpenID provider')
    .option('--public-url <URL>', 'address of the hub in the link', 'http://127.0.0.1:4417')
    .option('--json', 'print one JSON object')
    .action(init);
}

async function init({ database, masterKeyFile, owner, email, publicUrl, json }: InitOptions): Promise<void> {
  const { AgentStartError, prepareHub } = await import('../../agent.ts');
  const wanted = owner === undefined ? null : { name: owner, email: email ?? null };
  const { keyMade, invite } = await prepareHub(database, masterKeyFile, wanted).catch((error: unknown) => {
    throw error instanceof AgentStartError ? failure(error.message, error.remedy) : error;
  });
  const url = invite === null ? null : `${new URL(publicUrl).origin}/#invite=${invite.secret}`;
  if (json) return printJson({ keyMade, ...(url === null ? {} : { url }) });
  if (keyMade)
    note(`Wrote the master key to ${masterKeyFile}. Keep a copy apart from the backups of the database.`);
  note(
    `The database is ready. Start each process with: mooring serve --database URL --master-key-file ${masterKeyFile}`,
  );
  if (url !== null) {
    print(url);
    note(`Then ${owner} opens this link once, within seven days, to sign in as the owner.`);
  } else if (owner !== undefined)
    note(`${owner} has signed in before. "mooring hub invite ${owner}" makes a new link.`);
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
    if (rows >= rowsShownMin) note(`Copying ${formatCount(rows)} rows of ${table}.`);
  };
  try {
    const rows = await importIntoHub(dir, database, onTable);
    const count = (table: string) => formatCount(rows.get(table) ?? 0);
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
