// mooring run [OPTIONS] -- COMMAND: runs a program, or a shell, in a folder with the files of a new run. Its changes are staged: afterwards
// they are committed, discarded, or kept for a review. `run open` does it in the folder of a run that is open.
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import {
  type MooringClient,
  NoAnswerError,
  type Run,
  type RunFolder,
  StagedChangedError,
} from '../../../sdk/index.ts';
import {
  defined,
  type ProgressOptions,
  parseDuration,
  parseFolder,
  withDataDir,
  withProgress,
} from '../shared/arguments.ts';
import { CommandFailure, exitCodes, failure, ProgramExit, usageError } from '../shared/failure.ts';
import { showRunFolder } from '../shared/follow.ts';
import { countIgnored, ignoredChanges, ignoredLines, printIgnored } from '../shared/ignored-changes.ts';
import { Interruption } from '../shared/interruption.ts';
import { note } from '../shared/output.ts';
import { runIdOf } from '../shared/run-names.ts';
import { runProgram } from '../shared/run-program.ts';
import { copiedLines, hasRefused, problemLines, summaryText, unsyncedText } from '../shared/run-text.ts';
import { checkSandbox } from '../shared/sandbox.ts';
import { shellWord } from '../shared/shell-word.ts';
import { suggestionText } from '../shared/similar-words.ts';
import { connectToWorkspace, type WorkspaceOptions, withWorkspace } from '../shared/workspace-arguments.ts';

const verb = 'exec';
const syncTimeoutMsDefault = 10 * 60_000;

interface FolderOptions extends WorkspaceOptions, ProgressOptions {
  readonly commit?: true;
  readonly discard?: true;
  readonly ask?: true;
  readonly timeout?: number;
  readonly includeIgnored?: true;
  readonly keepFolder?: true;
  readonly sandbox?: true;
}

interface NewRunOptions extends FolderOptions {
  readonly name?: string;
  readonly path?: string;
  readonly dir?: string;
}

interface OpenRun {
  readonly client: MooringClient;
  readonly url: string;
  readonly run: Run;
  readonly dir: string;
  /** The value of --workspace in a command that a message suggests. */
  readonly workspaceArgument: string;
  readonly options: FolderOptions;
}

export function registerRunCommand(run: Command): void {
  run.usage('[VERB] [OPTIONS] [-- COMMAND...]');
  run.on('command:*', ([word = '']: readonly string[]) => {
    const verbs = run.commands.map((command) => command.name());
    throw usageError(
      `"${word}" is not a command of "mooring run".${suggestionText(word, verbs)}`,
      `To run it as a program: mooring run -- ${shellWord(word)}`,
    );
  });
  withEnd(withDataDir(withWorkspace(run.command(verb).argument('[COMMAND...]', 'default: a shell'))))
    .usage('[OPTIONS] [-- COMMAND...]')
    .description('run a command on a copy of the files (the default verb)')
    .option('--name <TEXT>', 'what the run is for')
    .option('--path <PATH>', 'only this directory of the workspace')
    .option('--dir <DIR>', 'an empty or missing folder (default: in the data directory)', parseFolder)
    .action(runNew);
  withEnd(
    withDataDir(
      withWorkspace(run.command('open').argument('<RUN>', 'name, or id from "run list" or its beginning')),
    ),
  )
    .argument('[COMMAND...]', 'default: a shell')
    .description('run a command, or a shell, in the folder of an open run')
    .action(runAgain);
}

function withEnd(command: Command): Command {
  return withProgress(command)
    .option('--commit', 'commit the changes afterwards, unless the command fails')
    .option('--discard', 'discard the changes afterwards')
    .option('--ask', 'ask afterwards')
    .option('--include-ignored', 'also list what changed in ignored files, such as .git')
    .option('--keep-folder', 'with a commit: keep the folder for 7 days')
    .option('--sandbox', 'limit what it writes to the folder and /tmp (Linux)')
    .option('--timeout <DURATION>', 'maximum time of each wait for the sync (default: 10m)', parseDuration);
}

/** `run -- COMMAND` and `run --name x` have no verb, and a command may have the name of one. */
export function withRunVerb(args: readonly string[]): readonly string[] {
  const at = args.findIndex((word) => !word.startsWith('-'));
  const next = args[at + 1];
  const isVerb = next !== undefined && !next.startsWith('-');
  const isHelp = next === '--help' || next === '-h';
  if (args[at] !== 'run' || isVerb || isHelp) return args;
  return [...args.slice(0, at + 1), verb, ...args.slice(at + 1)];
}

async function runNew(command: readonly string[], options: NewRunOptions): Promise<void> {
  checkOptions(options);
  const { client, url, workspaceId, workspaceArgument } = await connectToWorkspace(options);
  await syncLive(client, workspaceId, options);
  const { name, path: directory, dir } = options;
  const run = await client.runs.create(workspaceId, {
    command: [...command],
    ...defined({ name, path: directory }),
  });
  try {
    const folder = await filledFolder(client, run, dir, options, workspaceArgument);
    for (const line of copiedLines(folder)) note(line);
    await work({ client, url, run, dir: folder.dir, workspaceArgument, options }, command);
  } catch (error) {
    if (!(error instanceof ProgramExit)) await discardIfUnused(client, run);
    throw error;
  }
}

/** Ctrl-C while it is filled discards the run. */
async function filledFolder(
  client: MooringClient,
  run: Run,
  dir: string | undefined,
  options: FolderOptions,
  workspaceArgument: string,
): Promise<RunFolder> {
  const { workspaceId, runId } = run;
  const interruption = new Interruption();
  const { signal } = interruption;
  try {
    await client.runs.openFolder(workspaceId, runId, defined({ dir }), { signal });
    return await syncFolder(client, run, { ...options, signal }, workspaceArgument);
  } catch (error) {
    if (signal.aborted) {
      await discardIfUnused(client, run);
      note('Interrupted: the command did not run, and the run is discarded.');
    }
    interruption.endIfInterrupted();
    throw error;
  } finally {
    interruption.dispose();
  }
}

async function runAgain(word: string, command: readonly string[], options: FolderOptions): Promise<void> {
  checkOptions(options);
  const { client, url, workspaceId, workspaceArgument } = await connectToWorkspace(options);
  const runId = await runIdOf(client, workspaceId, word);
  const run = await client.runs.get(workspaceId, runId);
  const { dir } = await client.runs.openFolder(workspaceId, runId);
  await syncFolder(client, run, options, workspaceArgument);
  await work({ client, url, run, dir, workspaceArgument, options }, command);
}

function checkOptions({ commit, discard, ask, sandbox }: FolderOptions): void {
  if ([commit, discard, ask].filter((one) => one === true).length > 1)
    throw usageError('--commit, --discard and --ask exclude each other.', 'Select one of them.');
  if (sandbox === true) checkSandbox();
}

/** The run starts from what the mirrored folders have now. */
async function syncLive(
  client: MooringClient,
  workspaceId: string,
  { timeout }: FolderOptions,
): Promise<void> {
  const timeoutMs = Math.ceil(timeout ?? syncTimeoutMsDefault);
  const { settled } = await client.mirrors.waitUntilSynced({ workspaceId, timeoutMs });
  if (!settled)
    note(
      'A mirrored folder is not in sync: the run starts without its latest changes. See "mooring status".',
    );
}

async function syncFolder(
  client: MooringClient,
  run: Run,
  { timeout, progress, signal }: FolderOptions & { readonly signal?: AbortSignal },
  workspaceArgument: string,
): Promise<RunFolder> {
  const timeoutMs = Math.ceil(timeout ?? syncTimeoutMsDefault);
  const startedMs = performance.now();
  const shown = showRunFolder(client, run, progress === true);
  const { settled, folder } = await client.runs
    .syncFolder(run.workspaceId, run.runId, { timeoutMs }, defined({ signal }))
    .finally(shown);
  for (const line of problemLines(folder)) note(line);
  if (settled) return folder;
  const isOver = performance.now() - startedMs >= timeoutMs;
  const again = `continue with "mooring run open ${run.runId} --workspace ${workspaceArgument}"`;
  throw failure(
    `The folder of the run is not in sync${isOver ? ` after ${timeoutMs / 1000} s` : ''}: ${folder.dir} (${folder.mirror.state}).`,
    isOver ? `Wait longer with --timeout, or ${again}.` : `Correct the cause, then ${again}.`,
  );
}

/** A run that never began leaves nothing behind. */
async function discardIfUnused(client: MooringClient, { workspaceId, runId }: Run): Promise<void> {
  const now = await client.runs.get(workspaceId, runId).catch(() => null);
  if (now?.state === 'open' && now.writtenCount + now.deletedCount === 0)
    await client.runs.discard(workspaceId, runId).catch(() => undefined);
}

async function work(open: OpenRun, command: readonly string[]): Promise<never> {
  const { client, run, dir } = open;
  note(`Run ${run.runId} in ${dir}. The workspace does not change until a commit.`);
  const { token, accessToken } = await client.tokens.create(run.workspaceId, {
    agent: 'run',
    forkId: run.forkId,
  });
  let code: number;
  try {
    code = await runProgram(
      command,
      { dir, isConfined: open.options.sandbox === true },
      {
        MOORING_URL: open.url,
        MOORING_TOKEN: token,
        MOORING_WORKSPACE: run.workspaceId,
        MOORING_RUN: run.runId,
        MOORING_FORK: run.forkId,
      },
    );
  } finally {
    await client.tokens.revoke(run.workspaceId, accessToken.tokenId).catch(() => undefined);
  }
  let isLeftOut = false;
  try {
    const folder = await syncFolder(client, run, open.options, open.workspaceArgument);
    isLeftOut = hasRefused(folder);
    // The last command of a shell says nothing about the work in it.
    const failed = command.length > 0 && code !== 0 ? `the command failed (exit code ${code})` : null;
    await end(open, failed ?? (isLeftOut ? 'the run does not contain all changes' : null));
  } catch (error) {
    throw error instanceof NoAnswerError ? leftBehind(open, code) : error;
  }
  // Of a commit that was asked for.
  throw new ProgramExit(code === 0 && isLeftOut && open.options.commit === true ? exitCodes.failed : code);
}

/** The agent ended while the command ran. */
function leftBehind({ run: { runId }, dir, workspaceArgument }: OpenRun, code: number): CommandFailure {
  return new CommandFailure(
    exitCodes.noAgent,
    `The command ended with exit code ${code}, and the agent does not answer. The run and its folder are kept: ${dir}.`,
    `Start the agent, then continue with "mooring run show ${runId} --workspace ${workspaceArgument}".`,
  );
}

/** `doubt`: why the changes are not committed unseen. */
async function end(
  { client, run, workspaceArgument, options }: OpenRun,
  doubt: string | null,
): Promise<void> {
  const { workspaceId, runId } = run;
  const summary = await client.runs.summary(workspaceId, runId);
  const { createdCount, updatedCount, movedCount, deletedCount, stagedRevision } = summary;
  if (createdCount + updatedCount + movedCount + deletedCount === 0) {
    await showIgnored(client, run, options);
    await client.runs.discard(workspaceId, runId);
    note('No changes: the run is discarded.');
    return;
  }
  note(summaryText(summary));
  await showIgnored(client, run, options);
  const isUnseen = doubt !== null && options.commit === true;
  if (isUnseen) note(`Nothing was committed, because ${doubt}.`);
  const choice = isUnseen ? 'keep' : await choiceOf(options);
  if (choice === 'discard') {
    await client.runs.discard(workspaceId, runId);
    note(`Discarded ${runId}.`);
    return;
  }
  const which = `${runId} --workspace ${workspaceArgument}`;
  if (choice === 'keep') {
    note(`Review: mooring run show ${which} --diff`);
    note(`Commit: mooring run commit ${which}`);
    note(`Discard: mooring run discard ${which}`);
    return;
  }
  if (summary.conflictCount > 0)
    note('Files that the workspace has changed too are merged, or listed if they cannot be merged.');
  const committed = await client.runs
    .commit(workspaceId, runId, {
      ...defined({ keepFolder: options.keepFolder }),
      // With --commit the summary is not waited for.
      ...(options.commit === true ? {} : { stagedRevision }),
    })
    .catch((error: unknown) => {
      if (error instanceof StagedChangedError)
        throw failure(
          'Nothing was committed: the run has changed after this summary.',
          `Review it with "mooring run show ${which} --diff", then commit it with "mooring run commit ${which}".`,
        );
      throw failure(
        `Nothing was committed: ${error instanceof Error ? error.message : String(error)}.`,
        `Decide on conflicts with "mooring run commit ${which} --take-run PATH" or "--take-workspace PATH".`,
      );
    });
  if (committed.folderUnsynced) note(unsyncedText);
  note(
    `Committed at ${committed.revision}: ${committed.writtenCount} written, ${committed.deletedCount} deleted. Take it back with "mooring run undo ${which}".`,
  );
}

async function showIgnored(client: MooringClient, run: Run, options: FolderOptions): Promise<void> {
  const isListed = options.includeIgnored === true;
  const counts = await countIgnored(client, run);
  if (counts === null) return;
  if (isListed) printIgnored(await ignoredChanges(client, run, { hasPatches: false }), false);
  for (const line of ignoredLines(counts, isListed)) note(line);
}

async function choiceOf({ commit, discard, ask }: FolderOptions): Promise<'commit' | 'discard' | 'keep'> {
  if (commit === true) return 'commit';
  if (discard === true) return 'discard';
  if (ask !== true || !process.stdin.isTTY) return 'keep';
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = (await lines.question('Commit, discard, or keep for a review? [c/d/K] '))
      .trim()
      .toLowerCase();
    if (answer === 'c' || answer === 'commit') return 'commit';
    return answer === 'd' || answer === 'discard' ? 'discard' : 'keep';
  } finally {
    lines.close();
  }
}
