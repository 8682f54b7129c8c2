// mooring start [DIR]: from nothing to a mirrored folder in one command. If an agent already runs it is used, else one runs
// here until Ctrl-C.
import { readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { type Mirror, MooringClient } from '../../../sdk/index.ts';
import { parseFolder, withDataDir } from '../shared/arguments.ts';
import { findAgent, type RunningAgent } from '../shared/connect.ts';
import { followFirstSync } from '../shared/follow.ts';
import { note, print } from '../shared/output.ts';
import { type RunningHere, readConfig, runAgent } from '../shared/run-agent.ts';
import { addMirror, cloudFolderHelp } from './mirror-add.ts';
import { openInBrowser } from './open.ts';

const homeFolder = path.join(homedir(), 'Mooring', 'home');

interface StartOptions {
  readonly dataDir?: string;
  readonly listen?: string;
  readonly yes?: true;
  readonly endWithStdin?: true;
}

export function registerStart(program: Command): void {
  withDataDir(
    program
      .command('start')
      .description('mirror a folder and keep running; uses the agent that already runs, if there is one')
      .argument(
        '[dir]',
        `the folder, created when missing and at first only added to (default: ${homeFolder})`,
        parseFolder,
      )
      .option('--listen <host:port>', 'where to listen; a taken port is replaced by the next free one')
      .option('--yes', cloudFolderHelp)
      // For build/start.mjs.
      .addOption(new Option('--end-with-stdin', 'end when stdin ends').hideHelp()),
  ).action(start);
}

async function start(dir: string | undefined, options: StartOptions): Promise<void> {
  const running = await findAgent(options.dataDir);
  if (running !== null) {
    note(`An agent already runs at ${running.url} (pid ${running.pid}).`);
    const { link, mirror } = await introduce(running, dir, options.yes === true);
    await openInBrowser(link);
    await followMirror(running.client, mirror);
    return;
  }
  const read = readConfig({
    flags: { dataDir: options.dataDir, listen: options.listen },
    portFallback: true,
  });
  // A person reads this terminal, and is told in words below what went well.
  const config = read.logLevel === 'info' ? { ...read, logLevel: 'warn' as const } : read;
  const onReady = async ({ address, ownerTokenFile }: RunningHere) => {
    if (config.listenPort !== 0 && address.port !== config.listenPort) {
      note(`Port ${config.listenPort} is taken; this agent uses ${address.port}.`);
    }
    const token = readFileSync(ownerTokenFile, 'utf8').trim();
    const client = new MooringClient({ baseUrl: address.url, token });
    const { mirror } = await introduce(
      { client, url: address.url, pid: process.pid, dataDir: config.dataDir, ownerTokenFile },
      dir,
      options.yes === true,
    );
    print('');
    print('It runs until Ctrl-C.');
    // Beside the agent: what ends the one must not wait for the other.
    void followMirror(client, mirror);
  };
  await runAgent(config, onReady, options.endWithStdin);
}

/** Makes the folder's mirror where it is missing, and prints what a first minute needs. Returns the sign-in link. */
async function introduce(
  agent: RunningAgent,
  dir: string | undefined,
  acceptCloudFolder: boolean,
): Promise<{ link: string; mirror: Mirror | null }> {
  const mirror = await ensureMirror(agent.client, dir, acceptCloudFolder);
  const { url } = await agent.client.signIn.link();
  print('');
  if (mirror !== null) print(`Folder    ${mirror.dir}`);
  print(`Address   ${agent.url}`);
  print(`Sign in   ${url}`);
  print('          (works once, within a minute; "npm run -s mooring -- open" makes a new one)');
  if (mirror !== null) {
    print('Try it    the files as every tool sees them:');
    print('');
    print(curlFor(agent, mirror.workspaceId));
  }
  return { link: url, mirror };
}

/** How far the first sync of the folder is, on a terminal. */
async function followMirror(client: MooringClient, mirror: Mirror | null): Promise<void> {
  if (mirror === null) return;
  const { mirrorId, workspaceId } = mirror;
  await followFirstSync(async () =>
    (await client.mirrors.list(workspaceId)).filter((one) => one.mirrorId === mirrorId),
  );
}

/** null: there are workspaces, none of them mirrored, and no folder was asked for. */
async function ensureMirror(
  client: MooringClient,
  dir: string | undefined,
  acceptCloudFolder: boolean,
): Promise<Mirror | null> {
  const { mirrors, workspaces } = await client.agentStatus();
  if (dir === undefined && workspaces.length > 0) return mirrors[0] ?? null;
  const folder = dir ?? homeFolder;
  const known = mirrors.find((mirror) => mirror.dir === folder || mirror.dir === realPath(folder));
  if (known !== undefined) return known;
  const { workspaceId } = await client.workspaces.create({ name: path.basename(folder) || folder });
  try {
    return await addMirror(client, workspaceId, folder, { acceptCloudFolder });
  } catch (error) {
    await client.workspaces.remove(workspaceId);
    throw error;
  }
}

/** The folder itself where the path goes through links; a missing one is only known by its path. */
function realPath(dir: string): string {
  try {
    return realpathSync(dir);
  } catch {
    return dir;
  }
}

/** Works as pasted: the token is read from its file, so that it stands in no shell history. */
function curlFor(agent: RunningAgent, workspaceId: string): string {
  const address = `${agent.url}/v1/workspaces/${workspaceId}/fs/tree?path=/`;
  if (process.platform === 'win32') {
    const token = `$(Get-Content '${agent.ownerTokenFile.replaceAll("'", "''")}')`;
    return `curl.exe -H "Authorization: Bearer ${token}" -H "X-Correlation-Id: first-minute" "${address}"`;
  }
  const token = `$(cat '${agent.ownerTokenFile.replaceAll("'", "'\\''")}')`;
  return `curl -H "Authorization: Bearer ${token}" -H 'X-Correlation-Id: first-minute' '${address}'`;
}
