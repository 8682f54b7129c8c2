// mooring export: a workspace as a JSON array, a gzipped tar or a patch. A file that is named is whole or not there.
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { type ExportFormat, NoAnswerError } from '../../../sdk/index.ts';
import { parseFolder, withDataDir } from '../shared/arguments.ts';
import { CommandFailure, exitCodes } from '../shared/failure.ts';
import { formatBytes, note, Progress } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, withWorkspace } from '../shared/workspace-arguments.ts';

interface ExportOptions extends WorkspaceOptions {
  readonly format: ExportFormat;
  readonly path: string;
  readonly output?: string;
}

export function registerExport(program: Command): void {
  withDataDir(
    withWorkspace(program.command('export').description('all files of one moment'))
      .addOption(
        new Option('--format <format>', 'json, tar (gzipped) or patch')
          .choices(['json', 'tar', 'patch'])
          .default('tar'),
      )
      .option('--path <path>', 'only this path and what lies below it', '/')
      .option('--output <file>', 'where to (default: stdout)', parseFolder),
  ).action(exportWorkspace);
}

async function exportWorkspace(options: ExportOptions): Promise<void> {
  if (options.output === undefined && process.stdout.isTTY && options.format === 'tar') {
    throw new CommandFailure(
      exitCodes.usage,
      'A tar file is not for a terminal.',
      'Name a file with --output, or pipe it: mooring export --workspace W | tar -xz -C DIR',
    );
  }
  const { client, workspaceId } = await connectToWorkspace(options);
  const { format, path } = options;
  const { stream } = await client.exportWorkspace(workspaceId, { format, path });
  const counter = new Counter();
  const part = options.output === undefined ? null : `${options.output}.${process.pid}.part`;
  const target = part === null ? process.stdout : createWriteStream(part, { flags: 'wx' });
  try {
    await pipeline(Readable.fromWeb(stream), counter, target, { end: part !== null });
    if (part !== null && options.output !== undefined) await rename(part, options.output);
  } catch (error) {
    if (part !== null) await rm(part, { force: true });
    if (error instanceof NoAnswerError) throw error;
    throw new CommandFailure(
      exitCodes.failed,
      `The export broke off after ${formatBytes(counter.bytes)}: ${error instanceof Error ? error.message : String(error)}.`,
      'What was written is not whole. Run it again; the log of the agent says why it broke off.',
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
    done: (error: null, chunk: Buffer) => void,
  ): void {
    this.bytes += chunk.length;
    this.progress.show(formatBytes(this.bytes));
    done(null, chunk);
  }
}
