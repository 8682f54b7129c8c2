// `mooring run --sandbox`: the program may write only the folder of its run and a /tmp of its own. bubblewrap confines it, where it is
// installed; docs/security.md says what that does not confine.
import { type ChildProcess, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { failure } from './failure.ts';

const program = 'bwrap';
/** The descriptor on which it reports its process. */
const infoFd = 3;
const probeMsMax = 10_000;

/** Throws a failure with the remedy where programs cannot be confined. */
export function checkSandbox(): void {
  if (process.platform !== 'linux')
    throw failure(
      'A program cannot be confined on this system: --sandbox needs Linux and bubblewrap.',
      'Run it without --sandbox. The changes of the run are staged all the same.',
    );
  const probe = spawnSync(program, [...confined('/'), '--', 'true'], {
    encoding: 'utf8',
    timeout: probeMsMax,
  });
  if ((probe.error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    throw failure(
      'bubblewrap is not installed: the program "bwrap" was not found on the PATH.',
      'Install the package bubblewrap (for example "apt install bubblewrap"), or run without --sandbox.',
    );
  if (probe.status === 0) return;
  const reason = (probe.stderr.trim() || probe.error?.message) ?? `exit code ${probe.status}`;
  throw failure(
    `bubblewrap cannot confine programs here: ${reason}.`,
    'Allow unprivileged user namespaces ("sysctl kernel.unprivileged_userns_clone" and the AppArmor profile of bwrap), or run without --sandbox.',
  );
}

/** The program and its arguments for a command that may write only below the folder. */
export function inSandbox(
  command: readonly string[],
  dir: string,
): { readonly file: string; readonly args: readonly string[] } {
  const writable = ['--bind', dir, dir];
  const notes = path.join(dir, '.mooring');
  // A shell reports a missing program as everywhere else, with 127.
  const started = ['sh', '-c', 'exec "$@"', 'sh', ...command];
  return {
    file: program,
    args: [
      ...confined(dir),
      ...writable,
      ...['--ro-bind-try', notes, notes, '--info-fd', String(infoFd)],
      ...(process.stdin.isTTY ? [] : ['--new-session']),
      ...['--setenv', 'TMPDIR', '/tmp', '--', ...started],
    ],
  };
}

function confined(dir: string): readonly string[] {
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/var/tmp'],
    ...['--unshare-pid', '--unshare-ipc', '--die-with-parent', '--chdir', dir],
  ];
}

export const sandboxStdio = ['inherit', 'inherit', 'inherit', 'pipe'] as const;

/** Passes signals to the program inside: bubblewrap passes none on. */
export class SandboxSignals {
  readonly #child: ChildProcess;
  #info = '';

  constructor(child: ChildProcess) {
    this.#child = child;
    const reported = child.stdio[infoFd];
    if (reported !== null && reported !== undefined && 'on' in reported)
      reported.on('data', (text: Buffer) => {
        this.#info += text.toString('utf8');
      });
  }

  send(signal: NodeJS.Signals): void {
    const pid = this.#programPid();
    if (pid === null) this.#child.kill(signal);
    else process.kill(pid, signal);
  }

  /** The child of the first process of its process namespace. null: not started, or already ended. */
  #programPid(): number | null {
    try {
      const first = (JSON.parse(this.#info) as { readonly 'child-pid': number })['child-pid'];
      const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8').trim();
      return children === '' ? null : Number(children.split(' ')[0]);
    } catch {
      // Nothing is reported yet, or the process has just ended.
      return null;
    }
  }
}
