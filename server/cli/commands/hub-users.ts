// mooring hub user|invite|join: the users of a hub, and how a desktop without a browser gets the token of its user.
import { hostname } from 'node:os';
import { Argument, type Command, Option } from 'commander';
import { MooringClient, type User, type UserRole } from '../../../sdk/index.ts';
import { readPrivateFile, writePrivateFile } from '../../platform/files/private-files.ts';
import {
  type CommonOptions,
  defined,
  parseDuration,
  parseFolder,
  withDataDir,
  withJson,
} from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { formatTime } from '../shared/display.ts';
import { failure } from '../shared/failure.ts';
import { note, print, printJson, printTable } from '../shared/output.ts';
import { chooseWorkspace, type WorkspaceOptions, withWorkspace } from '../shared/workspace-arguments.ts';

const roles = ['reader', 'editor', 'owner'] as const;
const linkPattern = /^#invite=([A-Za-z0-9_-]{1,200})$/;

interface AddOptions extends WorkspaceOptions {
  readonly email?: string;
  readonly role: UserRole;
  readonly hubOwner?: true;
}

interface JoinOptions {
  readonly tokenFile: string;
  readonly workspace?: string;
  readonly agent?: string;
  readonly ttl?: number;
  readonly json?: true;
}

export function registerHubUsers(hub: Command): void {
  const user = hub.command('user').description('manage the users of a hub');
  withJson(
    withWorkspace(user.command('add').description('add a user to a workspace and print an invite link'))
      .argument('<NAME>', 'name that history shows')
      .option('--email <ADDRESS>', 'address, for an OpenID provider')
      .addOption(new Option('--role <ROLE>', 'what the user may do').choices(roles).default('editor'))
      .option('--hub-owner', 'with the rights of the owner token, in every workspace'),
  ).action(add);
  withJson(user.command('list').description('list the users, their roles and their last changes')).action(
    list,
  );
  withDataDir(
    withWorkspace(user.command('set-role').description('set the role of a user in a workspace'))
      .argument('<USER>', 'name, address or id')
      .addArgument(new Argument('<ROLE>', 'what the user may do').choices(roles)),
  ).action(setRole);
  withDataDir(
    withWorkspace(
      user.command('remove').description('remove a user and the personal tokens from a workspace'),
    ).argument('<USER>', 'name, address or id'),
  ).action(remove);
  for (const [name, disabled, description] of [
    ['disable', true, 'sign a user out and revoke the personal tokens'],
    ['enable', false, 'let a disabled user sign in again'],
  ] as const)
    withDataDir(user.command(name).description(description).argument('<USER>', 'name, address or id')).action(
      async (name: string, options: CommonOptions) => await setDisabled(name, disabled, options),
    );
  withJson(
    hub
      .command('invite')
      .description('print a new invite link for a user')
      .argument('<USER>', 'name, address or id'),
  ).action(invite);
  withJsonOnly(
    hub
      .command('join')
      .description('exchange an invite link for a token of "remote add"')
      .argument('<LINK>', 'invite link, or - to read it from standard input')
      .requiredOption('--token-file <FILE>', 'new file for the token', parseFolder)
      .option('--workspace <WORKSPACE>', 'name or id (required if there are several)')
      .option('--agent <NAME>', 'name of this machine in history (default: its host name)')
      .option('--ttl <DURATION>', 'lifetime of the token (default: 90d)', parseDuration),
  ).action(join);
}

function withJsonOnly(command: Command): Command {
  return command.option('--json', 'print one JSON object');
}

async function add(name: string, options: AddOptions): Promise<void> {
  const { client } = await connect(options);
  const { email, role, hubOwner } = options;
  let userId: string;
  if (hubOwner === true) {
    ({ userId } = await client.users.create({ name, isOwner: true, ...defined({ email }) }));
  } else {
    const { workspaceId } = await chooseWorkspace(client, options.workspace);
    ({ userId } = await client.users.add(workspaceId, { name, role, ...defined({ email }) }));
  }
  await printInvite(client, userId, name, options);
}

async function invite(text: string, options: CommonOptions): Promise<void> {
  const { client } = await connect(options);
  const { userId, name } = await findUser(client, text);
  await printInvite(client, userId, name, options);
}

async function printInvite(
  client: MooringClient,
  userId: string,
  name: string,
  { json }: CommonOptions,
): Promise<void> {
  const made = await client.users.invite(userId);
  if (json) return printJson({ userId, name, ...made });
  print(made.url);
  note(
    `Send this link to ${name}. It signs in once, until ${formatTime(made.expiresAt)}, in a browser or with "mooring hub join".`,
  );
}

async function list(options: CommonOptions): Promise<void> {
  const { client } = await connect(options);
  const [users, workspaces] = await Promise.all([client.users.list(), client.workspaces.list()]);
  if (options.json) return printJson({ users });
  const names = new Map(workspaces.map(({ workspaceId, name }) => [workspaceId, name]));
  printTable(
    ['USER', 'ADDRESS', 'STATE', 'ROLES'],
    users.map((user) => [user.name, user.email ?? '', stateOf(user), rolesText(user, names)]),
  );
  if (users.length === 0) note('No users. Add one with "mooring hub user add NAME --workspace WORKSPACE".');
}

function stateOf({ disabledAt, signedInAt }: User): string {
  if (disabledAt !== undefined) return 'disabled';
  return signedInAt === undefined ? 'invited' : 'active';
}

function rolesText({ isOwner, roles: held }: User, names: ReadonlyMap<string, string>): string {
  if (isOwner) return 'owner of the hub';
  return held.map(({ workspaceId, role }) => `${names.get(workspaceId) ?? workspaceId}: ${role}`).join(', ');
}

async function setRole(text: string, role: UserRole, options: WorkspaceOptions): Promise<void> {
  const { client } = await connect(options);
  const { workspaceId, name: workspaceName } = await chooseWorkspace(client, options.workspace);
  const { userId, name } = await findUser(client, text);
  await client.users.setRole(workspaceId, userId, role);
  note(`${name} is ${role} of ${workspaceName}.`);
}

async function remove(text: string, options: WorkspaceOptions): Promise<void> {
  const { client } = await connect(options);
  const { workspaceId, name: workspaceName } = await chooseWorkspace(client, options.workspace);
  const { userId, name } = await findUser(client, text);
  await client.users.remove(workspaceId, userId);
  note(`Removed ${name} from ${workspaceName}.`);
}

async function setDisabled(text: string, disabled: boolean, options: CommonOptions): Promise<void> {
  const { client } = await connect(options);
  const { userId, name } = await findUser(client, text);
  await client.users.setDisabled(userId, disabled);
  note(
    disabled
      ? `Disabled ${name}: signed out, and all personal tokens are revoked.`
      : `Enabled ${name}. Create a link for the next sign-in with "mooring hub invite ${name}".`,
  );
}

async function findUser(client: MooringClient, text: string): Promise<User> {
  const key = text.toLowerCase();
  const users = await client.users.list();
  const found =
    users.find(({ userId }) => userId === text) ??
    users.find(({ name, email }) => name.toLowerCase() === key || email?.toLowerCase() === key);
  if (found === undefined) throw failure(`There is no user ${text}.`, 'See "mooring hub user list".');
  return found;
}

async function join(link: string, options: JoinOptions): Promise<void> {
  const { url, secret } = parseLink(link === '-' ? await readStandardInput() : link);
  const { tokenFile, workspace, ttl, agent = machineName() } = options;
  // Before the link is used, which is possible once.
  if (readPrivateFile(tokenFile) !== null)
    throw failure(`${tokenFile} exists.`, 'Choose a new file for the token.');
  const client = new MooringClient({ baseUrl: url, retry: { retries: 0 } });
  const joined = await client.users.join({
    invite: secret,
    agent,
    ...defined({ workspaceId: workspace }),
    ...(ttl === undefined ? {} : { ttlSeconds: Math.max(1, Math.round(ttl / 1000)) }),
  });
  writePrivateFile(tokenFile, `${joined.token}\n`);
  const { name, workspaceName, accessToken } = joined;
  if (options.json) return printJson({ url, name, workspaceName, tokenFile, accessToken });
  note(
    `You are ${name} in ${workspaceName}, until ${formatTime(accessToken.expiresAt)}. The token is in ${tokenFile}.`,
  );
  note(`Sync with: mooring remote add --new ${workspaceName} --url ${url} --token-file ${tokenFile}`);
}

function parseLink(text: string): { readonly url: string; readonly secret: string } {
  const link = URL.parse(text.trim());
  const secret = linkPattern.exec(link?.hash ?? '')?.[1];
  if (link === null || secret === undefined || !/^https?:$/.test(link.protocol))
    throw failure('This is no invite link.', 'It ends with #invite= and a secret; put it in quotes.');
  return { url: link.origin, secret };
}

async function readStandardInput(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** In the form of an agent name. */
function machineName(): string {
  const name =
    hostname()
      .split('.')[0]
      ?.replaceAll(/[^A-Za-z0-9._-]/g, '-') ?? '';
  return /^[A-Za-z0-9]/.test(name) ? name.slice(0, 64) : 'desktop';
}
