// Desktops with a folder each, and one server, all of them real processes; the line between them can be cut or answer wrongly.
import { expect } from 'vitest';
import type { Remote } from '../../sdk/index.ts';
import { addRemote, filesOf, type RunningAgent, runningAgent, settle } from './remote-agents.ts';
import { ServerLine } from './server-line.ts';
import { tempFolder } from './temp-folder.ts';
import { hashFolder, putFile, removeFile } from './trees.ts';
import { waitFor } from './wait-for.ts';

export interface Desktop extends RunningAgent {
  readonly folder: string;
  readonly line: ServerLine;
}

export interface Server extends Pick<RunningAgent, 'client' | 'workspaceId'> {
  /** Where a new connection goes; null: nowhere. */
  readonly url: () => string | null;
}

type AgentServer = RunningAgent & Server;

export interface RemoteScene<Of extends Server = AgentServer> {
  readonly server: Of;
  readonly desktops: readonly Desktop[];
}

/** `files`: on the server before the desktops first meet it. */
export async function remoteScene(
  desktops: number,
  files: Readonly<Record<string, string>>,
): Promise<RemoteScene> {
  const agent = await runningAgent('server');
  const url = () => (agent.agent.isRunning ? agent.agent.url : null);
  return await sceneAround({ ...agent, url }, desktops, files);
}

export async function sceneAround<Of extends Server>(
  server: Of,
  desktops: number,
  files: Readonly<Record<string, string>>,
): Promise<RemoteScene<Of>> {
  const writes = Object.entries(files).map(([path, content]) => ({ path, content, ifMatch: '0' }));
  for (let start = 0; start < writes.length; start += 250)
    await server.client.files.writeMany(server.workspaceId, writes.slice(start, start + 250));
  const scene = {
    server,
    desktops: await Promise.all(Array.from({ length: desktops }, (_, at) => newDesktop(server, at))),
  };
  await expectInStep(scene);
  return scene;
}

async function newDesktop(server: Server, at: number): Promise<Desktop> {
  const agent = await runningAgent(`desktop-${at}`);
  const line = new ServerLine(server.url);
  await line.open();
  const folder = tempFolder(`mooring-folder-${at}`);
  await agent.client.mirrors.add(agent.workspaceId, folder);
  await addRemote(server, agent, `desktop-${at}`, line.url);
  return { ...agent, folder, line };
}

export async function remoteOf({ client, workspaceId }: RunningAgent): Promise<Remote> {
  const [remote] = await client.remotes.list(workspaceId);
  if (remote === undefined) throw new Error('it has no remote');
  return remote;
}

export function put({ folder }: Desktop, path: string, content: string | Uint8Array): void {
  putFile(folder, path, content);
}

export function drop({ folder }: Desktop, path: string): void {
  removeFile(folder, path);
}

/** Path to content hash of the files in the folder. */
export function folderOf({ folder }: Desktop): ReadonlyMap<string, string> {
  return new Map([...hashFolder(folder)].map(([path, hash]) => [`/${path}`, hash]));
}

/** Every folder and the server hold the same bytes, and nothing waits. Returns them. */
export async function expectInStep(
  { server, desktops }: RemoteScene<Server>,
  deadlineMs = 60_000,
): Promise<ReadonlyMap<string, string>> {
  // What the first sends has to reach the others.
  for (const desktop of [...desktops, ...desktops]) {
    await desktop.client.remotes.resume(desktop.workspaceId, (await remoteOf(desktop)).remoteId);
    await waitFor(`${desktop.folder} to be in step`, () => settle(desktop, 10_000), { deadlineMs });
  }
  const files = await filesOf(server);
  for (const desktop of desktops) expect(sorted(folderOf(desktop))).toEqual(sorted(files));
  return files;
}

function sorted(files: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...files].sort(([left], [right]) => (left < right ? -1 : 1));
}
