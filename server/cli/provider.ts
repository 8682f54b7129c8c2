// mooring provider add|list|test|pause|resume|remove. A secret comes from a file and goes into one: never over the command line, where
// every process of the machine could read it.
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { Provider } from '../../sdk/index.ts';
import { readPrivateFile, writePrivateFile } from '../platform/private-files.ts';
import { parseDuration, parseFolder, withDataDir, withJson } from './arguments.ts';
import { connect, findWorkspace } from './connect.ts';
import { CommandFailure, exitCodes } from './failure.ts';
import { note, print, printJson, printTable } from './output.ts';

interface WorkspaceOption {
  readonly workspace: string;
  readonly dataDir?: string;
  readonly json?: true;
}

interface AddOptions extends WorkspaceOption {
  readonly url?: string;
  readonly secretFile?: string;
  readonly refreshUrl?: string;
  readonly timeout?: number;
  readonly allowHttp?: true;
  readonly allowPrivate?: true;
}

/** Of a secret that is made here; the Standard Webhooks specification asks for 24 to 64. */
const secretBytes = 32;

const verbs = {
  pause: { description: 'send nothing until resumed', past: 'is paused; its items wait' },
  resume: { description: 'send what waits', past: 'gets its items again' },
} as const;

export function registerProvider(program: Command): void {
  const provider = program
    .command('provider')
    .description('who carries changes to the outside: register, list, test, pause, remove');
  withJson(
    withWorkspace(
      provider
        .command('add')
        .description(
          'register a provider for what lies below /<name>/; without --url a consumer polls and acknowledges',
        )
        .argument('<name>', 'first segment of its paths, such as github'),
    )
      .option('--url <url>', 'items are POSTed here, signed')
      .option(
        '--secret-file <file>',
        'file with the whsec_ secret to sign with; made, for you alone, when it is missing',
        parseFolder,
      )
      .option('--refresh-url <url>', 'what it has is pulled from here')
      .option('--timeout <duration>', 'for an answer, such as 10s', parseDuration)
      .option('--allow-http', 'call it without TLS')
      .option('--allow-private', 'call it on this machine or in a private network'),
  ).action(add);
  withJson(withWorkspace(provider.command('list').description('the providers of a workspace'))).action(list);
  withJson(
    withWorkspace(
      provider
        .command('test')
        .description('call a provider once with a message that carries nothing')
        .argument('<name>'),
    ),
  ).action(test);
  for (const verb of ['pause', 'resume'] as const) {
    withDataDir(
      withWorkspace(provider.command(verb).description(verbs[verb].description).argument('<name>')),
    ).action(async (name: string, options: WorkspaceOption) => {
      const { client } = await connect(options);
      const { workspaceId } = await findWorkspace(client, options.workspace);
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

function withWorkspace(command: Command): Command {
  return command.requiredOption('--workspace <workspace>', 'id or name');
}

async function add(name: string, options: AddOptions): Promise<void> {
  const { url, refreshUrl, timeout } = options;
  if (url !== undefined && options.secretFile === undefined) {
    throw new CommandFailure(
      exitCodes.usage,
      'A provider with --url needs --secret-file.',
      'Name a file; it is made with a fresh secret when it is missing. The provider checks signatures with it.',
    );
  }
  const { client } = await connect(options);
  const { workspaceId } = await findWorkspace(client, options.workspace);
  const added = await client.providers.add(workspaceId, {
    provider: name,
    kind: url === undefined ? 'external' : 'http',
    ...(url === undefined ? {} : { url }),
    ...(options.secretFile === undefined ? {} : { secret: secretOf(options.secretFile) }),
    ...(refreshUrl === undefined ? {} : { refreshUrl }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    ...(options.allowHttp ? { allowPlainHttp: true } : {}),
    ...(options.allowPrivate ? { allowPrivateAddresses: true } : {}),
  });
  if (options.json) return printJson(added);
  print(added.provider);
}

function secretOf(file: string): string {
  const present = readPrivateFile(file);
  if (present !== null) return present.trim();
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  writePrivateFile(file, `${secret}\n`);
  note(`A new secret lies in ${file}. The provider needs it, too.`);
  return secret;
}

async function list(options: WorkspaceOption): Promise<void> {
  const { client } = await connect(options);
  const { workspaceId } = await findWorkspace(client, options.workspace);
  const providers = await client.providers.list(workspaceId);
  if (options.json) return printJson({ providers });
  printTable(['PROVIDER', 'KIND', 'STATE', 'PENDING', 'DEAD', 'OLDEST', 'URL'], providers.map(rowOf));
  for (const { provider, lastError } of providers) {
    if (lastError !== undefined) note(`${provider}: ${lastError}`);
  }
  if (providers.length === 0)
    note('No provider yet. Register one with "mooring provider add NAME --workspace W".');
}

function rowOf(provider: Provider): readonly string[] {
  const { kind, state, circuit, pending, running, deadLettered, oldestPendingAt, url } = provider;
  return [
    provider.provider,
    kind,
    state === 'error' && circuit === 'open' ? `error, next call ${provider.retryAt ?? 'later'}` : state,
    String(pending + running),
    String(deadLettered),
    oldestPendingAt ?? '',
    url ?? '',
  ];
}

async function test(name: string, options: WorkspaceOption): Promise<void> {
  const { client } = await connect(options);
  const { workspaceId } = await findWorkspace(client, options.workspace);
  const result = await client.providers.test(workspaceId, name);
  if (options.json) printJson(result);
  else (result.ok ? print : note)(`${name}: ${result.message} (${result.tookMs} ms)`);
  if (!result.ok) throw new CommandFailure(exitCodes.failed, `${name} did not take the test message.`, null);
}

async function remove(name: string, options: WorkspaceOption & { yes?: true }): Promise<void> {
  if (!options.yes) {
    throw new CommandFailure(
      exitCodes.usage,
      `Removing ${name} needs --yes.`,
      'What waits for it is canceled; files stay.',
    );
  }
  const { client } = await connect(options);
  const { workspaceId } = await findWorkspace(client, options.workspace);
  const { canceled } = await client.providers.remove(workspaceId, name);
  const items = canceled === 1 ? '1 item that waited for it is' : `${canceled} items that waited for it are`;
  note(`${name} is removed${canceled === 0 ? '' : `; ${items} canceled`}.`);
}
