// mooring provider add|set: URL and settings of a provider. The signing secret is read from or written to a file, never passed as an
// argument, which every process of the machine could read.
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { BadRequestError } from '../../../sdk/index.ts';
import { readPrivateFile, writePrivateFile } from '../../platform/files/private-files.ts';
import { defined, parseDuration, parseFolder, withJson } from '../shared/arguments.ts';
import { failure, usageError } from '../shared/failure.ts';
import { note, print, printJson } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, workspaceVerb } from '../shared/workspace-arguments.ts';

interface SettingsOptions extends WorkspaceOptions {
  readonly url?: string;
  readonly secretFile?: string;
  readonly refreshUrl?: string;
  readonly timeout?: number;
  readonly allowHttp?: boolean;
  readonly allowPrivate?: boolean;
}

export const providerName = ['<NAME>', 'name from "provider list"'] as const;
/** Size of a generated secret. The Standard Webhooks specification requires 24 to 64 bytes. */
const secretBytes = 32;

export function registerProviderSettings(provider: Command): void {
  withJson(
    settingsCommand(provider, 'add', 'register the provider of a top-level directory', [
      '<NAME>',
      'first segment of its paths, for example github',
    ])
      .option('--allow-http', 'allow calls without TLS')
      .option('--allow-private', 'allow loopback and private addresses'),
  )
    .addHelpText('after', '\nWithout --url an external consumer lists and acknowledges the operations.')
    .action(add);
  withJson(
    settingsCommand(provider, 'set', 'update a provider (omitted options keep their values)', providerName)
      .option('--no-refresh-url', 'remove the refresh URL')
      .option('--allow-http', 'allow calls without TLS')
      .option('--no-allow-http', 'require TLS')
      .option('--allow-private', 'allow loopback and private addresses')
      .option('--no-allow-private', 'require a public address'),
  ).action(set);
}

function settingsCommand(...command: Parameters<typeof workspaceVerb>): Command {
  return workspaceVerb(...command)
    .option('--url <URL>', 'URL that receives signed POST requests')
    .option('--secret-file <FILE>', 'file with the whsec_ secret (created if missing)', parseFolder)
    .option('--refresh-url <URL>', 'URL from which files are pulled')
    .option('--timeout <DURATION>', 'response timeout, for example 10s', parseDuration);
}

async function add(name: string, options: SettingsOptions): Promise<void> {
  const { url } = options;
  if (url !== undefined && options.secretFile === undefined) {
    throw usageError(
      'A provider with --url requires --secret-file.',
      'Pass a file. If it is missing, Mooring creates it with a new secret. The provider verifies signatures with this secret.',
    );
  }
  const { client, workspaceId } = await connectToWorkspace(options);
  const added = await client.providers
    .add(workspaceId, {
      provider: name,
      kind: url === undefined ? 'external' : 'http',
      ...defined({ refreshUrl: options.refreshUrl }),
      ...settingsOf(options),
    })
    .catch(suggestOption);
  if (options.json) return printJson(added);
  print(added.provider);
}

async function set(
  name: string,
  { refreshUrl, ...options }: Omit<SettingsOptions, 'refreshUrl'> & { refreshUrl?: string | false },
): Promise<void> {
  const { url, secretFile, timeout, allowHttp, allowPrivate } = options;
  if ([refreshUrl, url, secretFile, timeout, allowHttp, allowPrivate].every((value) => value === undefined)) {
    throw usageError(
      'Pass at least one setting to change, for example --url.',
      'See "mooring provider set --help".',
    );
  }
  const { client, workspaceId } = await connectToWorkspace(options);
  const changed = await client.providers
    .update(workspaceId, name, {
      ...defined({ refreshUrl: refreshUrl === false ? null : refreshUrl }),
      ...settingsOf(options),
    })
    .catch(suggestOption);
  if (options.json) return printJson(changed);
  note(`Updated ${changed.provider}.`);
}

function settingsOf({
  url,
  secretFile,
  timeout,
  allowHttp,
  allowPrivate,
}: Omit<SettingsOptions, 'refreshUrl'>) {
  return defined({
    url,
    secret: secretFile === undefined ? undefined : secretOf(secretFile),
    timeoutMs: timeout,
    allowPlainHttp: allowHttp,
    allowPrivateAddresses: allowPrivate,
  });
}

function secretOf(file: string): string {
  const existing = readPrivateFile(file);
  if (existing !== null) return existing.trim();
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  writePrivateFile(file, `${secret}\n`);
  note(`Created ${file} with a new secret. Configure the provider with it.`);
  return secret;
}

/** Pattern of the agent's message, and the option that allows the request. */
const optionsByRefusal = [
  [/allowPrivateAddresses/, '--allow-private'],
  [/\bhttp is\b|allowPlainHttp/, '--allow-http'],
] as const;

function suggestOption(error: unknown): never {
  if (!(error instanceof BadRequestError)) throw error;
  const option = optionsByRefusal.find(([pattern]) => pattern.test(error.message))?.[1];
  if (option === undefined) throw error;
  throw failure(`The agent refused: ${error.message}.`, `To allow it, pass ${option}.`);
}
