// mooring start [DIR]: mirrors a folder with the running agent, or with an agent in this process until Ctrl-C.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { type Mirror, MooringClient } from '../../../sdk/index.ts';
import { parseFolder, withDataDir } from '../shared/arguments.ts';
import { findAgent, type RunningAgent } from '../shared/connect.ts';
import { followFirstSync } from '../shared/follow.ts';
import { realPath } from '../shared/mirror-arguments.ts';
import { note, print } from '../shared/output.ts';
import { readConfig, runAgent, type StartedAgent } from '../shared/run-agent.ts';
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
      .description('mirror a folder and run the agent until Ctrl-C')
      .argument('[DIR]', 'folder to mirror (created if missing)', parseFolder)
      .option('--listen <HOST:PORT>', 'address (if in use: the next free port)')
      .option('--yes', cloudFolderHelp)
      // Used by build/start.mjs.
      .addOption(new Option('--end-with-stdin', 'end when stdin ends').hideHelp()),
  )
    .addHelpText('after', `\nDefault folder: ${homeFolder}. A running agent is used if there is one.`)
    .action(start);
}

async function start(dir: string | undefined, options: StartOptions): Promise<void> {
  const running = await findAgent(options.dataDir);
  if (running !== null) {
    note(`An agent is already running at ${running.url} (pid ${running.pid}).`);
    const { link, mirror } = await introduce(running, dir, options.yes === true);
    await openInBrowser(link);
    if (mirror !== null) await followFirstSync(running.client, mirror);
    return;
  }
  const config = readConfig({
    flags: { dataDir: options.dataDir, listen: options.listen },
    portFallback: true,
  });
  const onReady = async ({ address, ownerTokenFile }: StartedAgent) => {
    if (config.listenPort !== 0 && address.port !== config.listenPort) {
      note(`Port ${config.listenPort} is in use. This agent uses port ${address.port}.`);
    }
    const token = readFileSync(ownerTokenFile, 'utf8').trim();
    const client = new MooringClient({ baseUrl: address.url, token });
    const { mirror } = await introduce(
      { client, url: address.url, pid: process.pid, dataDir: config.dataDir, ownerTokenFile },
      dir,
      options.yes === true,
    );
    print('');
    print('Press Ctrl-C to stop.');
    // Not awaited: stopping the agent must not wait for the display.
    if (mirror !== null) void followFirstSync(client, mirror);
  };
  await runAgent(config, onReady, { endsWithStdin: options.endWithStdin === true, isForPerson: true });
}

/** Adds the folder's mirror if it is missing, and prints folder, address, sign-in link and a first request. */
async function introduce(
  agent: RunningAgent,
  dir: string | undefined,
  acceptCloudFolder: boolean,
): Promise<{ link: string; mirror: Mirror | null }> {
  const mirror = await ensureMirror(agent.client, dir, acceptCloudFolder);
  const { url } = await agent.client.agent.signIn.link();
  print('');
  if (mirror !== null) print(`Folder    ${mirror.dir}`);
  print(`Address   ${agent.url}`);
  print(`Sign in   ${url}`);
  print('          (valid once for one minute, a new one: "npm run -s mooring -- open")');
  if (mirror !== null) {
    print('Try it    list the files over HTTP:');
    print('');
    print(curlFor(agent, mirror.workspaceId));
  }
  return { link: url, mirror };
}

/** null: no folder was passed, and none of the existing workspaces is mirrored. */
async function ensureMirror(
  client: MooringClient,
  dir: string | undefined,
  acceptCloudFolder: boolean,
): Promise<Mirror | null> {
  const { mirrors, workspaces } = await client.agent.status();
  if (dir === undefined && workspaces.length > 0) return mirrors[0] ?? null;
  const folder = dir ?? homeFolder;
  const existing = mirrors.find((mirror) => mirror.dir === folder || mirror.dir === realPath(folder));
  if (existing !== undefined) return existing;
  const { workspaceId } = await client.workspaces.create({ name: path.basename(folder) || folder });
  try {
    return await addMirror(client, workspaceId, folder, { acceptCloudFolder });
  } catch (error) {
    await client.workspaces.remove(workspaceId);
    throw error;
  }
}

/** A command that works when pasted. It reads the token from its file, which keeps the token out of the shell history. */
function curlFor(agent: RunningAgent, workspaceId: string): string {
  const address = `${agent.url}/v1/workspaces/${workspaceId}/fs/tree?path=/`;
  if (process.platform === 'win32') {
    const token = `$(Get-Content '${agent.ownerTokenFile.replaceAll("'", "''")}')`;
    return `curl.exe -H "Authorization: Bearer ${token}" -H "X-Correlation-Id: first-minute" "${address}"`;
  }
  const token = `$(cat '${agent.ownerTokenFile.replaceAll("'", "'\\''")}')`;
  return `curl -H "Authorization: Bearer ${token}" -H 'X-Correlation-Id: first-minute' '${address}'`;
}
