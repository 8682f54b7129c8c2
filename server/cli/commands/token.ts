// mooring token create|list|revoke. `create` prints only the token to stdout, for use in `$(...)`.
import { type Command, InvalidArgumentError } from 'commander';
import { defined, parseCount, parseDuration, parseList, withDataDir, withJson } from '../shared/arguments.ts';
import { formatTime } from '../shared/display.ts';
import { note, print, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, workspaceVerb } from '../shared/workspace-arguments.ts';

interface CreateOptions extends WorkspaceOptions {
  readonly agent?: string;
  readonly scopes?: readonly string[];
  readonly path?: string;
  readonly ttl?: number;
  readonly deletesPerMinute?: number;
  readonly fork?: string;
}

const scopesHelp = `
Default scopes: read and write files, read sync status and operations, replay operations.
Webhooks and acknowledgements require sync:trigger.`;

export function registerToken(program: Command): void {
  const token = program.command('token').description('create, list and revoke access tokens');
  withJson(
    workspaceVerb(token, 'create', 'create a token and print it once')
      .option('--agent <NAME>', 'agent name that history shows', parseAgent)
      .option('--scopes <A,B>', 'permissions (see the default below)', parseList)
      .option('--path <GLOB>', 'limit file access to a path, for example /docs/**')
      .option('--ttl <DURATION>', 'lifetime, for example 24h', parseDuration)
      .option('--deletes-per-minute <N>', 'maximum deletes per minute', parseCount)
      .option('--fork <FORK_ID>', 'limit the token to the files of one fork'),
  )
    .addHelpText('after', scopesHelp)
    .action(create);
  withJson(workspaceVerb(token, 'list', 'list the tokens of a workspace')).action(list);
  withDataDir(
    workspaceVerb(token, 'revoke', 'revoke a token immediately', ['<TOKEN_ID>', 'id from "token list"']),
  ).action(revoke);
}

function parseAgent(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(text)) return text;
  throw new InvalidArgumentError('Use letters, digits, ".", "_" and "-", for example my-script.');
}

async function create(options: CreateOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { agent, scopes, path, ttl, deletesPerMinute, fork } = options;
  const created = await client.tokens.create(workspaceId, {
    ...defined({ agent, scopes: scopes && [...scopes], path, deletesPerMinute, forkId: fork }),
    ...(ttl === undefined ? {} : { ttlSeconds: Math.max(1, Math.round(ttl / 1000)) }),
  });
  if (options.json) return printJson(created);
  print(created.token);
}

async function list(options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId, workspaceArgument } = await connectToWorkspace(options);
  const tokens = await client.tokens.list(workspaceId);
  if (options.json) return printJson({ tokens });
  printTable(
    ['TOKEN', 'AGENT', 'STATE', 'EXPIRES', 'LAST USED', 'SCOPES'],
    tokens.map(({ tokenId, agent, revokedAt, expiresAt, lastUsedAt, scopes }) => [
      tokenId,
      agent,
      stateOf({ revokedAt, expiresAt }),
      formatTime(expiresAt),
      lastUsedAt === null || lastUsedAt === undefined ? 'never' : formatTime(lastUsedAt),
      scopes.join(', '),
    ]),
  );
  if (tokens.length === 0)
    note(`No tokens. Create one with "mooring token create --workspace ${workspaceArgument}".`);
}

function stateOf(token: { readonly revokedAt: string | undefined; readonly expiresAt: string }): string {
  if (token.revokedAt !== undefined) return 'revoked';
  return Date.parse(token.expiresAt) <= Date.now() ? 'expired' : 'valid';
}

async function revoke(tokenId: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  await client.tokens.revoke(workspaceId, tokenId);
  note(`Revoked ${tokenId}.`);
}
