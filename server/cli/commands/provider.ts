// mooring provider list|test|refresh|pause|resume|remove. `add` and `set` are in provider-settings.ts.
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import type { MooringClient, Provider } from '../../../sdk/index.ts';
import { withDataDir, withJson } from '../shared/arguments.ts';
import { failure, usageError } from '../shared/failure.ts';
import { formatAge, note, plural, print, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, workspaceVerb } from '../shared/workspace-arguments.ts';
import { providerName, registerProviderSettings } from './provider-settings.ts';

const verbs = {
  pause: { description: 'stop sending until resumed', done: 'Paused' },
  resume: { description: 'send pending operations again', done: 'Resumed' },
} as const;

export function registerProvider(program: Command): void {
  const provider = program
    .command('provider')
    .description('manage providers: add, list, test, pause, remove');
  const named = (verb: string, description: string) =>
    workspaceVerb(provider, verb, description, providerName);
  registerProviderSettings(provider);
  withJson(workspaceVerb(provider, 'list', 'list the providers of a workspace')).action(list);
  withJson(named('test', 'send one empty test message to a provider')).action(test);
  withDataDir(named('refresh', 'pull the files of a provider and wait for the result')).action(refresh);
  for (const verb of ['pause', 'resume'] as const) {
    withDataDir(named(verb, verbs[verb].description)).action(
      async (name: string, options: WorkspaceOptions) => {
        const { client, workspaceId } = await connectToWorkspace(options);
        await client.providers[verb](workspaceId, name);
        note(`${verbs[verb].done} ${name}.`);
      },
    );
  }
  withDataDir(
    named('remove', 'remove a provider and cancel its pending operations').option(
      '--yes',
      'confirm the removal',
    ),
  ).action(remove);
}

async function list(options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId, workspaceArgument } = await connectToWorkspace(options);
  const { providers, senders } = await client.providers.withSenders(workspaceId);
  if (options.json) return printJson({ providers, senders });
  printTable(
    ['PROVIDER', 'KIND', 'STATE', 'NEXT ATTEMPT', 'PENDING', 'OLDEST', 'DEAD', 'URL'],
    providers.map((provider) => rowOf(provider, Date.now())),
  );
  for (const { provider, cause } of providers) if (cause !== undefined) note(`${provider}: ${cause}`);
  for (const { provider, cause } of senders)
    note(`${provider} is not registered and only sends webhooks.${cause === undefined ? '' : ` ${cause}`}`);
  if (providers.length === 0)
    note(`No providers. Add one with "mooring provider add NAME --workspace ${workspaceArgument}".`);
}

function rowOf(provider: Provider, nowMs: number): readonly string[] {
  const { kind, pending, running, deadLettered, oldestPendingAt, url } = provider;
  return [
    provider.provider,
    kind,
    stateOf(provider),
    nextAttemptOf(provider, nowMs),
    String(pending + running),
    oldestPendingAt === undefined ? '' : formatAge(nowMs - Date.parse(oldestPendingAt)),
    String(deadLettered),
    url ?? '',
  ];
}

/** What happens to the next operation, which is more specific than the state on the wire. */
function stateOf({ state, circuit, retryAt }: Provider): string {
  if (state === 'paused') return 'paused';
  if (circuit === 'half_open') return 'error; testing with one request';
  return circuit === 'closed' || retryAt === undefined ? state : 'circuit open';
}

function nextAttemptOf({ state, circuit, retryAt }: Provider, nowMs: number): string {
  const isWaiting = state !== 'paused' && circuit === 'open' && retryAt !== undefined;
  return isWaiting ? `in ${formatAge(Date.parse(retryAt) - nowMs)}` : '';
}

async function test(name: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const result = await client.providers.test(workspaceId, name);
  if (options.json) printJson(result);
  else (result.ok ? print : note)(`${name}: ${result.message} (${result.tookMs} ms)`);
  if (!result.ok)
    throw failure(
      `${name} did not accept the test message.`,
      'Check that it runs, its URL and its secret; change them with "mooring provider set".',
    );
}

const refreshPollMs = 200;

async function refresh(name: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { provider, kind, refreshUrl } = await client.providers.get(workspaceId, name);
  if (kind === 'external') {
    throw failure(
      `Cannot refresh ${provider}: it has no URL.`,
      'Its external consumer sends changes as webhooks.',
    );
  }
  if (refreshUrl === undefined) {
    throw failure(
      `${provider} has no refresh URL.`,
      `Set one with "mooring provider set ${provider} --workspace WORKSPACE --refresh-url URL".`,
    );
  }
  const { id } = await client.providers.refresh(workspaceId, {
    provider,
    reason: 'mooring provider refresh',
  });
  const error = await refreshError(client, workspaceId, provider, id);
  if (error === null) return note(`Refreshed ${provider}.`);
  throw failure(`Refreshing ${provider} failed: ${error}.`, 'Correct the cause and run the command again.');
}

/** null: the refresh succeeded. A later refresh of the provider covers this one, so its end counts. */
async function refreshError(
  client: MooringClient,
  workspaceId: string,
  provider: string,
  id: string,
): Promise<string | null> {
  for (;;) {
    const { refresh: latest } = await client.providers.get(workspaceId, provider);
    if (latest?.finishedAt !== undefined) return latest.error ?? null;
    if (latest === undefined) return `the agent no longer knows refresh ${id}`;
    await setTimeout(refreshPollMs);
  }
}

async function remove(name: string, options: WorkspaceOptions & { yes?: true }): Promise<void> {
  if (!options.yes) {
    throw usageError(`Removing ${name} requires --yes.`, 'Its pending operations are canceled. Files stay.');
  }
  const { client, workspaceId } = await connectToWorkspace(options);
  const { canceled } = await client.providers.remove(workspaceId, name);
  const operations = canceled === 0 ? '' : ` and canceled ${plural(canceled, 'pending operation')}`;
  note(`Removed ${name}${operations}.`);
}
