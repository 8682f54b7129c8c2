// mooring status: prints the agent, its workspaces and the state of every mirror and remote, once or at every change.
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { type MooringClient, type SearchIndexStatus, UnavailableError } from '../../../sdk/index.ts';
import { type CommonOptions, withJson } from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { displayFolder, formatTime } from '../shared/display.ts';
import { describeMirrors, mirrorHeadings, mirrorRow } from '../shared/mirror-text.ts';
import {
  endLine,
  formatBytes,
  formatCount,
  note,
  plural,
  print,
  printJson,
  printTable,
  printText,
} from '../shared/output.ts';
import { describeRemotes, remoteHeadings, remoteRow } from '../shared/remote-text.ts';
import { noWorkspaces } from '../shared/workspace-arguments.ts';
import { WorkspaceNames } from '../shared/workspace-names.ts';

type AgentStatus = Awaited<ReturnType<MooringClient['agent']['status']>>;
/** null: the agent cannot say. */
type SearchStatus = SearchIndexStatus | null;

interface StatusOptions extends CommonOptions {
  readonly watch?: true;
}

const watchEveryMs = 1_000;
/** Cursor to the first row, and everything below it erased. */
const clearScreen = '\u001b[H\u001b[2J';

export function registerStatus(program: Command): void {
  withJson(program.command('status').description('show the agent, its workspaces and its mirrors'))
    .option('--watch', 'show every change until Ctrl-C')
    .action(status);
}

async function status(options: StatusOptions): Promise<void> {
  const { client } = await connect(options);
  if (options.watch) return await watch(client, options);
  show(...(await read(client)), options);
}

async function read(client: MooringClient): Promise<readonly [AgentStatus, SearchStatus]> {
  return await Promise.all([client.agent.status(), client.searches.index().catch(unavailable)]);
}

/** The rest of the status is worth more than the state of the search. */
function unavailable(error: unknown): null {
  if (error instanceof UnavailableError) return null;
  throw error;
}

function show(agent: AgentStatus, search: SearchStatus, { json }: StatusOptions): void {
  if (json) {
    printJson({ ...agent, search });
    return;
  }
  print(`Mooring ${agent.version} at ${agent.url} (pid ${agent.pid}, since ${formatTime(agent.startedAt)})`);
  print(`Data directory: ${displayFolder(agent.dataDir)}`);
  const { days, revisions, bytes } = agent.retention;
  print(`History: ${days} days, at least ${revisions} revisions of each file, up to ${formatBytes(bytes)}`);
  print(`Search: ${searchText(search)}`);
  for (const { at, lastEvent } of agent.lostTails ?? [])
    print(`Lost: the database lost what came after ${lastEvent} (${formatTime(at)}): see "mooring doctor"`);
  const names = new WorkspaceNames(agent.workspaces);
  if (agent.mirrors.length > 0) print('');
  printTable(
    mirrorHeadings,
    agent.mirrors.map((mirror) => mirrorRow(mirror, names)),
  );
  const details = describeMirrors(agent.mirrors);
  if (details.length > 0) print('');
  for (const line of details) printText(line);
  if (agent.remotes.length > 0) print('');
  printTable(
    remoteHeadings,
    agent.remotes.map((remote) => remoteRow(remote, names)),
  );
  for (const line of describeRemotes(agent.remotes)) printText(line);
  const mirrored = new Set(agent.mirrors.map((mirror) => mirror.workspaceId));
  const others = agent.workspaces.filter(({ workspaceId }) => !mirrored.has(workspaceId));
  if (others.length > 0) print('');
  printTable(
    ['NOT MIRRORED', 'FILES'],
    others.map(({ workspaceId, files }) => [names.display(workspaceId), formatCount(files)]),
  );
  if (agent.workspaces.length === 0) note(noWorkspaces);
}

function searchText(search: SearchStatus): string {
  if (search === null || search.state === 'failed') return 'the index is not available: see "mooring doctor"';
  const { files, filesTotal, eventsBehind, bytes } = search;
  if (search.state === 'current') return `${plural(files, 'file')} indexed (${formatBytes(bytes)})`;
  const behind = eventsBehind === 0 ? '' : `, ${plural(eventsBehind, 'event')} behind`;
  return `indexing, ${formatCount(Math.min(files, filesTotal))} of ${formatCount(filesTotal)} files${behind}`;
}

/** Without the times of scans and proofs, which change although nothing happened. */
function shownState({
  proof,
  fullScan: _,
  lastSyncAt: __,
  ...mirror
}: AgentStatus['mirrors'][number]): object {
  return { ...mirror, alarm: proof.alarm };
}

/** Of a short delay after each change only its end is shown. */
function shownIndex(search: SearchStatus): unknown {
  return search?.state === 'indexing' && search.files < search.filesTotal
    ? search.files
    : search?.state === 'failed';
}

/** A terminal shows the current state. Elsewhere each change is printed below the one before, with --json one object a line. */
async function watch(client: MooringClient, options: StatusOptions): Promise<void> {
  const ended = new AbortController();
  process.once('SIGINT', () => ended.abort());
  let shown = '';
  while (!ended.signal.aborted) {
    const [agent, search] = await read(client);
    const { mirrors, remotes, workspaces } = agent;
    const state = JSON.stringify([mirrors.map(shownState), remotes, workspaces, shownIndex(search)]);
    if (state !== shown) {
      if (process.stdout.isTTY && !options.json) process.stdout.write(clearScreen);
      else if (shown !== '' && !options.json) print('');
      show(agent, search, options);
      shown = state;
    }
    await setTimeout(watchEveryMs, null, { signal: ended.signal }).catch(() => undefined);
  }
  endLine();
}
