// mooring export: writes a workspace as a JSON array, a gzipped tar or a patch. An output file is complete or does not exist.
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ExportFormat, NoAnswerError } from '../../../sdk/index.ts';
import { parseWholeNumber } from '../../platform/config/quantities.ts';
import { parseFolder, withDataDir } from '../shared/arguments.ts';
import { ExportProgress } from '../shared/export-progress.ts';
import { failure, usageError } from '../shared/failure.ts';
import { formatBytes, note } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, workspaceVerb } from '../shared/workspace-arguments.ts';

interface ExportOptions extends WorkspaceOptions {
  readonly format: ExportFormat;
  readonly path: string;
  readonly output?: string;
  readonly level?: number;
  readonly progress?: true;
}

const levelMax = 9;

export function registerExport(program: Command): void {
  withDataDir(
    workspaceVerb(program, 'export', 'export all files of a workspace')
      .addOption(
        new Option('--format <FORMAT>', 'output format (tar is gzipped unless --level 0)')
          .choices(['json', 'tar', 'patch'])
          .default('tar'),
      )
      .option('--level <LEVEL>', 'gzip level of tar: 1 (default) to 9, 0: plain .tar', parseLevel)
      .option('--path <PATH>', 'only this path and its descendants', '/')
      .option('--output <FILE>', 'output file (default: stdout)', parseFolder)
      .option('--progress', 'print progress to stderr without a terminal too'),
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
  const { stream, tarBytes } = await client.files.export(workspaceId, {
    format,
    path,
    ...(level === undefined ? {} : { level }),
  });
  const counter = new ExportProgress({ tarBytes, always: options.progress === true });
  const part = options.output === undefined ? null : `${options.output}.${process.pid}.part`;
  const target = part === null ? process.stdout : createWriteStream(part, { flags: 'wx' });
  try {
    await pipeline(Readable.fromWeb(stream as ReadableStream), counter, target, { end: part !== null });
    if (part !== null && options.output !== undefined) await rename(part, options.output);
  } catch (error) {
    if (part !== null) await rm(part, { force: true });
    if (error instanceof NoAnswerError) throw error;
    throw failure(
      `Export failed after ${formatBytes(counter.bytes)}: ${error instanceof Error ? error.message : String(error)}.`,
      'The output is incomplete. See the cause in the log of the agent and run the command again.',
    );
  }
  if (options.output !== undefined) note(`${options.output}: ${formatBytes(counter.bytes)}`);
}

function parseLevel(text: string): number {
  const level = parseWholeNumber(text);
  if (level !== null && level <= levelMax) return level;
  throw new InvalidArgumentError(`Enter a whole number from 0 to ${levelMax}.`);
}
