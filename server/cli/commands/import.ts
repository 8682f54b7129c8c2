// mooring import REPOSITORY: writes the files of a GitHub source archive, from a local file or fetched by the agent, with progress.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { ForbiddenError, type TarballImported, type TarballJob } from '../../../sdk/index.ts';
import { type ProgressOptions, parseFolder, withJson, withProgress } from '../shared/arguments.ts';
import { failure } from '../shared/failure.ts';
import { formatBytes, note, plural, printJson, printTable } from '../shared/output.ts';
import { systemErrorText } from '../shared/system-errors.ts';
import { WorkProgress } from '../shared/work-progress.ts';
import {
  type ConnectedWorkspace,
  connectToWorkspace,
  type WorkspaceOptions,
  workspaceVerb,
} from '../shared/workspace-arguments.ts';

interface Repository {
  readonly owner: string;
  readonly repo: string;
}

interface ImportOptions extends WorkspaceOptions, ProgressOptions {
  readonly sha: string;
  readonly archive?: string;
}

/** Long enough for the largest archive that the agent accepts. */
const importTimeoutMs = 3_600_000;
const pollEveryMs = 500;
/** Refused entries that are listed. */
const listedMax = 20;

export function registerImport(program: Command): void {
  withJson(withProgress(workspaceVerb(program, 'import', 'import the files of a GitHub repository')))
    .argument('<REPOSITORY>', 'owner and name, for example octocat/hello-world', parseRepository)
    .requiredOption('--sha <SHA>', 'commit of the archive')
    .option('--archive <FILE>', 'local tar.gz (default: the agent fetches it)', parseFolder)
    .addHelpText(
      'after',
      '\nFetching requires "serve --import-host codeload.github.com". Files are written below /github/repos.',
    )
    .action(importRepository);
}

function parseRepository(text: string): Repository {
  const [owner, repo, ...rest] = text.split('/');
  if (!owner || !repo || rest.length > 0)
    throw new InvalidArgumentError('Enter its owner and name, for example octocat/hello-world.');
  return { owner, repo };
}

async function importRepository(repository: Repository, options: ImportOptions): Promise<void> {
  const connected = await connectToWorkspace(options);
  const { archive, sha } = options;
  const always = options.progress === true;
  const imported =
    archive === undefined
      ? await fetchArchive(connected, repository, sha, always)
      : await uploadArchive(connected, repository, sha, { archive, always });
  if (options.json) return printJson(imported);
  printTable(
    ['PATH', 'REASON'],
    imported.errors.slice(0, listedMax).map(({ path, message }) => [path, message]),
  );
  const { imported: files, bytesWritten, errorCount, skipped } = imported;
  note(`Imported ${plural(files, 'file')}, ${formatBytes(bytesWritten)}.`);
  if (errorCount > 0) note(`${plural(errorCount, 'entry was', 'entries were')} refused.`, 'yellow');
  if (skipped.length > 0) note(`${plural(skipped.length, 'file')} skipped: ignored or too large.`);
}

async function uploadArchive(
  { client, workspaceId }: ConnectedWorkspace,
  { owner, repo }: Repository,
  headSha: string,
  { archive, always }: { readonly archive: string; readonly always: boolean },
): Promise<TarballImported> {
  const status = await stat(archive).catch((error: NodeJS.ErrnoException) => {
    throw failure(`Cannot read ${archive}: ${systemErrorText(error)}.`, 'Pass a tar.gz with --archive.');
  });
  const progress = new WorkProgress({ verb: 'Sending', unit: 'bytes', always });
  let sent = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      sent += chunk.length;
      progress.update({ done: sent, total: status.size });
      callback(null, chunk);
    },
  });
  const body = Readable.toWeb(createReadStream(archive).pipe(counter)) as ReadableStream<Uint8Array>;
  try {
    return await client.imports.tarball(workspaceId, { owner, repo, headSha }, body, {
      timeoutMs: importTimeoutMs,
    });
  } finally {
    progress.done();
  }
}

async function fetchArchive(
  { client, workspaceId }: ConnectedWorkspace,
  { owner, repo }: Repository,
  headSha: string,
  always: boolean,
): Promise<TarballJob> {
  const tarballUrl = `https://codeload.github.com/${owner}/${repo}/tar.gz/${headSha}`;
  const progress = new WorkProgress({ verb: 'Importing', unit: 'files', always });
  try {
    let job = await client.imports
      .fetch(workspaceId, { owner, repo, headSha, tarballUrl })
      .catch(explainRefusal);
    while (job.status !== 'completed' && job.status !== 'failed') {
      await setTimeout(pollEveryMs);
      job = await client.imports.job(workspaceId, job.jobId);
      progress.update({ done: job.imported, total: null });
    }
    if (job.status === 'completed') return job;
    throw failure(
      `The import failed: ${job.lastError ?? 'unknown cause'}.`,
      'Correct the cause and run the command again. Files that were imported stay.',
    );
  } finally {
    progress.done();
  }
}

function explainRefusal(error: unknown): never {
  if (!(error instanceof ForbiddenError)) throw error;
  throw failure(
    `The agent refused: ${error.message}.`,
    'Start it with "--import-host codeload.github.com", or pass a downloaded archive with --archive.',
  );
}
