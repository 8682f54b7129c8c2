// The process of command-host.ts: runs commands one after the other, and answers each with its exit code and what it printed.
import { runProgram } from '../../server/cli/program.ts';
import type { CommandResult, HostedCommand } from './command-host.ts';

type Write = typeof process.stdout.write;

/** Keeps what is written to a stream until `end`. */
function capture(stream: NodeJS.WriteStream): { end(): string } {
  const chunks: Buffer[] = [];
  const write = stream.write;
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk as Uint8Array));
    const callback = rest.find((one): one is () => void => typeof one === 'function');
    if (callback !== undefined) queueMicrotask(callback);
    return true;
  }) as Write;
  return {
    end() {
      stream.write = write;
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}

async function runOne({ args, dataDir }: HostedCommand): Promise<CommandResult> {
  if (dataDir === undefined) delete process.env.MOORING_DATA_DIR;
  else process.env.MOORING_DATA_DIR = dataDir;
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  const code = await runProgram(args);
  // Each command listens for the end of its reader.
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
  return { code, signal: null, stdout: stdout.end(), stderr: stderr.end() };
}

process.on('message', (command: HostedCommand) => {
  void runOne(command).then((result) => process.send?.(result));
});
process.once('disconnect', () => process.exit());
