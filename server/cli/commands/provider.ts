// mooring provider list|test|refresh|pause|resume|remove; add and set: see provider-settings.ts.
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import type { MooringClient, Provider } from '../../../sdk/index.ts';
import { withDataDir, withJson } from '../shared/arguments.ts';
import { CommandFailure, exitCodes } from '../shared/failure.ts';
import { counted, formatAge, note, print, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, withWorkspace } from '../shared/workspace-arguments.ts';
import { registerProviderSettings } from './provider-settings.ts';

const verbs = {
  pause: { description: 'send nothing until resumed', past: 'is paused; its items wait' },
  resume: { description: 'send what waits', past: 'gets its items again' },
} as const;

export function registerProvider(program: Command): void {
  const provider = program
    .command('provider')
    .description('who carries changes to the outside: register, list, test, pause, remove');
  registerProviderSettings(provider);
  withJson(withWorkspace(provider.command('list').description('the providers of a workspace'))).action(list);
  withJson(
    withWorkspace(
      provider
        .command('test')
        .description('call a provider once with a message that carries nothing')
        .argument('<name>'),
    ),
  ).action(test);
  withDataDir(
    withWorkspace(
      provider
        .command('refresh')
        .description('pull what a provider has from its refresh address, and wait for the end')
        .argument('<name>'),
    ),
  ).action(refresh);
  for (const verb of ['pause', 'resume'] as const) {
    withDataDir(
      withWorkspace(provider.command(verb).description(verbs[verb].description).argument('<name>')),
    ).action(async (name: string, options: WorkspaceOptions) => {
      const { client, workspaceId } = await connectToWorkspace(options);
      await client.providers[verb](workspaceId, name);
      note(`${name} ${verbs[verb].past}.`);
    });
  }
  withDataDir(
    withWorkspace(
      provider
        .command('remove')
        .description('send it nothing any more; what waits for it is canceled')
        .argument('<name>'),
    ).option('--yes', 'really'),
  ).action(remove);
}

async function list(options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { providers, senders } = await client.providers.withSenders(workspaceId);
  if (options.json) return printJson({ providers, senders });
  printTable(
    ['PROVIDER', 'KIND', 'STATE', 'WAITING', 'OLDEST', 'DEAD', 'URL'],
    providers.map((provider) => rowOf(provider, Date.now())),
  );
  for (const { provider, cause } of providers) if (cause !== undefined) note(`${provider}: ${cause}`);
  for (const { provider, cause } of senders)
    note(`${provider} is not registered; it only sends webhooks.${cause === undefined ? '' : ` ${cause}`}`);
  if (providers.length === 0)
    note('No provider yet. Register one with "mooring provider add NAME --workspace W".');
}

function rowOf(provider: Provider, nowMs: number): readonly string[] {
  const { kind, pending, running, deadLettered, oldestPendingAt, url } = provider;
  return [
    provider.provider,
    kind,
    stateOf(provider, nowMs),
    String(pending + running),
    oldestPendingAt === undefined ? '' : formatAge(nowMs - Date.parse(oldestPendingAt)),
    String(deadLettered),
    url ?? '',
  ];
}

/** What it does with the next item, as that is what one looks for. */
function stateOf({ state, circuit, retryAt }: Provider, nowMs: number): string {
  if (state === 'paused') return 'paused by you';
  if (circuit === 'half_open') return 'error, one call finds out';
  if (circuit === 'closed' || retryAt === undefined) return state;
  return `circuit open, next call in ${formatAge(Date.parse(retryAt) - nowMs)}`;
}

async function test(name: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const result = await client.providers.test(workspaceId, name);
  if (options.json) printJson(result);
  else (result.ok ? print : note)(`${name}: ${result.message} (${result.tookMs} ms)`);
  if (!result.ok) throw new CommandFailure(exitCodes.failed, `${name} did not take the test message.`, null);
}

/** Between two looks whether a pull is over. */
const pullPollMs = 200;

async function refresh(name: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { provider, kind, refreshUrl } = await client.providers.get(workspaceId, name);
  if (kind === 'external') {
    throw new CommandFailure(
      exitCodes.failed,
      `${provider} cannot be pulled: it is external.`,
      'Its consumer brings what it has, by webhooks.',
    );
  }
  if (refreshUrl === undefined) {
    throw new CommandFailure(
      exitCodes.failed,
      `${provider} has no address to pull from.`,
      `Give it one with "mooring provider set ${provider} --workspace W --refresh-url URL".`,
    );
  }
  const { id } = await client.refresh(workspaceId, { provider, reason: 'mooring provider refresh' });
  const error = await pullEnd(client, workspaceId, provider, id);
  if (error === null) return note(`${provider} was pulled.`);
  throw new CommandFailure(
    exitCodes.failed,
    `${provider} could not be pulled: ${error}.`,
    'Mend what it names and run it again.',
  );
}

/** Why it failed; null: it did not. One that was asked for later does the same work, and ends this one, too. */
async function pullEnd(
  client: MooringClient,
  workspaceId: string,
  provider: string,
  id: string,
): Promise<string | null> {
  for (;;) {
    const { refresh: pulled } = await client.providers.get(workspaceId, provider);
    if (pulled?.finishedAt !== undefined) return pulled.error ?? null;
    if (pulled === undefined) return `its pull ${id} is not known any more`;
    await setTimeout(pullPollMs);
  }
}

async function remove(name: string, options: WorkspaceOptions & { yes?: true }): Promise<void> {
  if (!options.yes) {
    throw new CommandFailure(
      exitCodes.usage,
      `Removing ${name} needs --yes.`,
      'What waits for it is canceled; files stay.',
    );
  }
  const { client, workspaceId } = await connectToWorkspace(options);
  const { canceled } = await client.providers.remove(workspaceId, name);
  const items = counted(canceled, 'item that waited for it is', 'items that waited for it are');
  note(`${name} is removed${canceled === 0 ? '' : `; ${items} canceled`}.`);
}
