// mooring export: writes a workspace as a JSON array, a gzipped tar or a patch. An output file is complete or does not exist.
import { open, rename, rm, stat } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ExportFormat, MooringError, NoAnswerError } from '../../../sdk/index.ts';
import { parseWholeNumber } from '../../platform/config/quantities.ts';
import { type ProgressOptions, parseFolder, withDataDir, withProgress } from '../shared/arguments.ts';
import { ExportProgress } from '../shared/export-progress.ts';
import { failure, usageError } from '../shared/failure.ts';
import { Interruption } from '../shared/interruption.ts';
import { formatBytes, note } from '../shared/output.ts';
import { cannotWrite, isSystemError } from '../shared/system-errors.ts';
import { connectToWorkspace, type WorkspaceOptions, workspaceVerb } from '../shared/workspace-arguments.ts';

interface ExportOptions extends WorkspaceOptions, ProgressOptions {
  readonly format: ExportFormat;
  readonly path: string;
  readonly output?: string;
  readonly level?: number;
}

const levelMax = 9;

export function registerExport(program: Command): void {
  withDataDir(
    withProgress(workspaceVerb(program, 'export', 'export all files of a workspace'))
      .addOption(
        new Option('--format <FORMAT>', 'output format (tar is gzipped unless --level 0)')
          .choices(['json', 'tar', 'patch'])
          .default('tar'),
      )
      .option('--level <LEVEL>', 'gzip level of tar: 1 (default) to 9, 0: plain .tar', parseLevel)
      .option('--path <PATH>', 'only this path and its descendants', '/')
      .option('--output <FILE>', 'output file (default: stdout)', parseFolder),
  ).action(exportWorkspace);
}

async function exportWorkspace(options: ExportOptions): Promise<void> {
  if (options.output === undefined && process.stdout.isTTY && options.format === 'tar') {
    throw usageError(
      'Refused to write a tar archive to a terminal.',
      'Pass a file with --output, or pipe it: mooring export --workspace WORKSPACE | tar -xz -C DIR',
    );
  }
  if (options.level !== undefined && options.format !== 'tar') {
    throw usageError(
      `--level does not apply to --format ${options.format}.`,
      'Omit it, or use --format tar.',
    );
  }
  const { client, workspaceId } = await connectToWorkspace(options);
  const { format, path, level } = options;
  const request = { format, path, ...(level === undefined ? {} : { level }) };
  // Before the output exists: an interruption removes it from its first moment.
  const interruption = new Interruption();
  const output = await openOutput(options.output).catch((error: unknown) => {
    interruption.dispose();
    throw error;
  });
  let counter: ExportProgress | null = null;
  try {
    const { stream, tarBytes } = await client.files.export(workspaceId, request);
    counter = new ExportProgress({ tarBytes, always: options.progress === true });
    await pipeline(Readable.fromWeb(stream as ReadableStream), counter, output.target, {
      end: output.part !== null,
      signal: interruption.signal,
    });
    if (output.part !== null) await rename(output.part, output.file);
  } catch (error) {
    if (output.part !== null) await rm(output.part, { force: true });
    interruption.endIfInterrupted();
    throw counter === null ? error : exportFailure(error, counter.bytes, output);
  } finally {
    interruption.dispose();
  }
  if (output.part !== null) note(`${output.file}: ${formatBytes(counter.bytes)}`);
}

interface Output {
  readonly target: Writable;
  /** The file until it is complete. null: stdout. */
  readonly part: string | null;
  readonly file: string;
}

/** Before the agent is asked: an output that cannot be written is the first thing to know. It is on the disk before it has its name. */
async function openOutput(file: string | undefined): Promise<Output> {
  if (file === undefined) return { target: process.stdout, part: null, file: 'stdout' };
  const part = `${file}.${process.pid}.part`;
  try {
    if ((await stat(file).catch(() => null))?.isDirectory()) throw cannotWrite(file, { code: 'EISDIR' });
    return { target: (await open(part, 'wx')).createWriteStream({ flush: true }), part, file };
  } catch (error) {
    throw isSystemError(error) ? cannotWrite(file, error) : error;
  }
}

function exportFailure(error: unknown, bytes: number, { file }: Output): unknown {
  if (error instanceof NoAnswerError || error instanceof MooringError) return error;
  if (isSystemError(error)) return cannotWrite(file, error);
  return failure(
    `Export failed after ${formatBytes(bytes)}: ${error instanceof Error ? error.message : String(error)}.`,
    'The output is incomplete. See the cause in the log of the agent and run the command again.',
  );
}

function parseLevel(text: string): number {
  const level = parseWholeNumber(text);
  if (level !== null && level <= levelMax) return level;
  throw new InvalidArgumentError(`Enter a whole number from 0 to ${levelMax}.`);
}
