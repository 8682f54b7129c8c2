// mooring provider add|set: where a provider is and how it is called. A secret comes from a file and goes into one: never over the
// command line, where every process of the machine could read it.
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { BadRequestError } from '../../../sdk/index.ts';
import { readPrivateFile, writePrivateFile } from '../../platform/files/private-files.ts';
import { parseDuration, parseFolder, withJson } from '../shared/arguments.ts';
import { CommandFailure, exitCodes } from '../shared/failure.ts';
import { note, print, printJson } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, withWorkspace } from '../shared/workspace-arguments.ts';

interface SettingsOptions extends WorkspaceOptions {
  readonly url?: string;
  readonly secretFile?: string;
  readonly refreshUrl?: string;
  readonly timeout?: number;
  readonly allowHttp?: boolean;
  readonly allowPrivate?: boolean;
}

/** Of a secret that is made here; the Standard Webhooks specification asks for 24 to 64. */
const secretBytes = 32;

export function registerProviderSettings(provider: Command): void {
  withJson(
    withSettings(
      provider
        .command('add')
        .description(
          'register a provider for what lies below /<name>/; without --url a consumer polls and acknowledges',
        )
        .argument('<name>', 'first segment of its paths, such as github'),
    )
      .option('--allow-http', 'call it without TLS')
      .option('--allow-private', 'call it on this machine or in a private network'),
  ).action(add);
  withJson(
    withSettings(
      provider
        .command('set')
        .description('change how a provider is called; what is not named stays')
        .argument('<name>'),
    )
      .option('--no-refresh-url', 'pull from it no more')
      .option('--allow-http', 'call it without TLS')
      .option('--no-allow-http', 'call it with TLS only')
      .option('--allow-private', 'call it on this machine or in a private network')
      .option('--no-allow-private', 'call it at public addresses only'),
  ).action(set);
}

function withSettings(command: Command): Command {
  return withWorkspace(command)
    .option('--url <url>', 'items are POSTed here, signed')
    .option(
      '--secret-file <file>',
      'file with the whsec_ secret to sign with; made, for you alone, when it is missing',
      parseFolder,
    )
    .option('--refresh-url <url>', 'what it has is pulled from here')
    .option('--timeout <duration>', 'for an answer, such as 10s', parseDuration);
}

async function add(name: string, options: SettingsOptions): Promise<void> {
  const { url } = options;
  if (url !== undefined && options.secretFile === undefined) {
    throw new CommandFailure(
      exitCodes.usage,
      'A provider with --url needs --secret-file.',
      'Name a file; it is made with a fresh secret when it is missing. The provider checks signatures with it.',
    );
  }
  const { client, workspaceId } = await connectToWorkspace(options);
  const added = await client.providers
    .add(workspaceId, {
      provider: name,
      kind: url === undefined ? 'external' : 'http',
      ...(options.refreshUrl === undefined ? {} : { refreshUrl: options.refreshUrl }),
      ...settingsOf(options),
    })
    .catch(withFlags);
  if (options.json) return printJson(added);
  print(added.provider);
}

async function set(
  name: string,
  { refreshUrl, ...options }: Omit<SettingsOptions, 'refreshUrl'> & { refreshUrl?: string | false },
): Promise<void> {
  const { url, secretFile, timeout, allowHttp, allowPrivate } = options;
  if ([refreshUrl, url, secretFile, timeout, allowHttp, allowPrivate].every((one) => one === undefined)) {
    throw new CommandFailure(exitCodes.usage, 'Name what is to be changed, such as --url.', '(See --help.)');
  }
  const { client, workspaceId } = await connectToWorkspace(options);
  const changed = await client.providers
    .update(workspaceId, name, {
      ...(refreshUrl === undefined ? {} : { refreshUrl: refreshUrl === false ? null : refreshUrl }),
      ...settingsOf(options),
    })
    .catch(withFlags);
  if (options.json) return printJson(changed);
  note(`${changed.provider} is changed.`);
}

function settingsOf({
  url,
  secretFile,
  timeout,
  allowHttp,
  allowPrivate,
}: Omit<SettingsOptions, 'refreshUrl'>) {
  return {
    ...(url === undefined ? {} : { url }),
    ...(secretFile === undefined ? {} : { secret: secretOf(secretFile) }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    ...(allowHttp === undefined ? {} : { allowPlainHttp: allowHttp }),
    ...(allowPrivate === undefined ? {} : { allowPrivateAddresses: allowPrivate }),
  };
}

function secretOf(file: string): string {
  const present = readPrivateFile(file);
  if (present !== null) return present.trim();
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  writePrivateFile(file, `${secret}\n`);
  note(`A new secret lies in ${file}. The provider needs it, too.`);
  return secret;
}

/** What the API refuses unless it is allowed, and the flag that allows it. */
const flags = [
  ['http is only taken', '--allow-http'],
  ['allowPrivateAddresses', '--allow-private'],
] as const;

function withFlags(error: unknown): never {
  if (!(error instanceof BadRequestError)) throw error;
  const flag = flags.find(([words]) => error.message.includes(words))?.[1];
  if (flag === undefined) throw error;
  throw new CommandFailure(
    exitCodes.failed,
    `The agent refused: ${error.message}.`,
    `Say ${flag} if that is what you want.`,
  );
}
