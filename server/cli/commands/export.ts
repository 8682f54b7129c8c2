// mooring export: writes a workspace as a JSON array, a gzipped tar or a patch. An output file is complete or does not exist.
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { type Command, Option } from 'commander';
import { type ExportFormat, NoAnswerError } from '../../../sdk/index.ts';
import { parseFolder, withDataDir } from '../shared/arguments.ts';
import { failure, usageError } from '../shared/failure.ts';
import { formatBytes, note, Progress } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, workspaceVerb } from '../shared/workspace-arguments.ts';

interface ExportOptions extends WorkspaceOptions {
  readonly format: ExportFormat;
  readonly path: string;
  readonly output?: string;
}

export function registerExport(program: Command): void {
  withDataDir(
    workspaceVerb(program, 'export', 'export all files of a workspace')
      .addOption(
        new Option('--format <FORMAT>', 'output format (tar is gzipped)')
          .choices(['json', 'tar', 'patch'])
          .default('tar'),
      )
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
  const { client, workspaceId } = await connectToWorkspace(options);
  const { format, path } = options;
  const { stream } = await client.files.export(workspaceId, { format, path });
  const counter = new Counter();
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
  } finally {
    counter.progress.done();
  }
  if (options.output !== undefined) note(`${options.output}: ${formatBytes(counter.bytes)}`);
}

class Counter extends Transform {
  bytes = 0;
  readonly progress = new Progress();

  override _transform(
    chunk: Buffer,
    _encoding: BufferEncoding,
    callback: (error: null, chunk: Buffer) => void,
  ): void {
    this.bytes += chunk.length;
    this.progress.show(formatBytes(this.bytes));
    callback(null, chunk);
  }
}
