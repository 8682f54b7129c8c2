// mooring token create|list|revoke. `create` prints the bare token and nothing else to stdout: it is made for `$(...)`.
import type { Command } from 'commander';
import { parseCount, parseDuration, parseList, withDataDir, withJson } from '../shared/arguments.ts';
import { note, print, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, withWorkspace } from '../shared/workspace-arguments.ts';

interface CreateOptions extends WorkspaceOptions {
  readonly agent?: string;
  readonly scopes?: readonly string[];
  readonly path?: string;
  readonly ttl?: number;
  readonly deletesPerMinute?: number;
}

export function registerToken(program: Command): void {
  const token = program.command('token').description('tokens for tools and agents: make, list, revoke');
  withJson(
    withWorkspace(token.command('create').description('make a token and print it'))
      .option('--agent <name>', 'who will use it; history shows this name')
      .option(
        '--scopes <a,b>',
        'what it may do (default: read and write files, see sync and operations, replay operations; name sync:trigger for webhooks and acknowledgements)',
        parseList,
      )
      .option('--path <glob>', 'only read and write below this path, such as /docs/**')
      .option('--ttl <duration>', 'how long it is valid, such as 24h', parseDuration)
      .option('--deletes-per-minute <n>', 'refuse more deletes than this', parseCount),
  ).action(create);
  withJson(
    withWorkspace(token.command('list').description('the tokens of a workspace, without their secrets')),
  ).action(list);
  withDataDir(
    withWorkspace(
      token
        .command('revoke')
        .description('refuse a token from now on')
        .argument('<tokenId>', 'from "token list"'),
    ),
  ).action(revoke);
}

async function create(options: CreateOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { agent, scopes, path, ttl, deletesPerMinute } = options;
  const created = await client.tokens.create(workspaceId, {
    ...(agent === undefined ? {} : { agent }),
    ...(scopes === undefined ? {} : { scopes: [...scopes] }),
    ...(path === undefined ? {} : { path }),
    ...(ttl === undefined ? {} : { ttlSeconds: Math.max(1, Math.round(ttl / 1000)) }),
    ...(deletesPerMinute === undefined ? {} : { deletesPerMinute }),
  });
  if (options.json) return printJson(created);
  print(created.token);
}

async function list(options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const tokens = await client.tokens.list(workspaceId);
  if (options.json) return printJson({ tokens });
  printTable(
    ['TOKEN', 'AGENT', 'STATE', 'EXPIRES', 'LAST USED', 'SCOPES'],
    tokens.map(({ tokenId, agent, revokedAt, expiresAt, lastUsedAt, scopes }) => [
      tokenId,
      agent,
      stateOf({ revokedAt, expiresAt }),
      expiresAt,
      lastUsedAt ?? 'never',
      scopes.join(','),
    ]),
  );
  if (tokens.length === 0) note('No token yet. Make one with "mooring token create --workspace W".');
}

function stateOf(token: { readonly revokedAt: string | undefined; readonly expiresAt: string }): string {
  if (token.revokedAt !== undefined) return 'revoked';
  return Date.parse(token.expiresAt) <= Date.now() ? 'expired' : 'valid';
}

async function revoke(tokenId: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  await client.tokens.revoke(workspaceId, tokenId);
  note(`${tokenId} is revoked.`);
}
