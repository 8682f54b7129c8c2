// Tells whether a process is alive, and whether it is the one that had a process id: ids are used again.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  readonly pid: number;
  /** Differs between two processes with the same id. null: the platform does not report it. */
  readonly started: string | null;
}

const psTimeoutMs = 5_000;

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid) };
}

/** false: the process is gone. A process of another user, and one of which only the id is known, count as alive. */
export function isSameProcess({ pid, started }: ProcessIdentity): boolean {
  if (!isProcessAlive(pid)) return false;
  const current = startOf(pid);
  // Gone, or a zombie, where the platform reports it; otherwise unknown.
  if (current === null) return process.platform !== 'linux' && process.platform !== 'darwin';
  return started === null || current === started;
}

/** false: the process is gone. A process of another user counts as alive. */
export function isProcessAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** null: no such process, or the platform does not report it. */
function startOf(pid: number): string | null {
  if (process.platform === 'linux') return startOnLinux(pid);
  if (process.platform === 'darwin') return startOnDarwin(pid);
  return null;
}

/** proc_pid_stat(5): the name in parentheses may contain anything, so fields are counted from its end. */
function startOnLinux(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  const startTicks = fields[19];
  if (startTicks === undefined || state === 'Z' || state === 'X') return null;
  // Ticks count from the boot of the machine: without its id two processes could have the same ones.
  return `${(readText('/proc/sys/kernel/random/boot_id') ?? '').trim()}/${startTicks}`;
}

/** ps(1): the start to the second, and the state. */
function startOnDarwin(pid: number): string | null {
  try {
    const line = execFileSync('/bin/ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { LC_ALL: 'C', TZ: 'UTC' },
      timeout: psTimeoutMs,
    }).trim();
    const [state = '', ...start] = line.split(/\s+/);
    return state === '' || state.startsWith('Z') ? null : start.join(' ');
  } catch (error) {
    // ps ends with 1 when there is no such process.
    if (error instanceof Error && 'status' in error && error.status === 1) return null;
    throw error;
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // ESRCH: the process ended between opening and reading.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return null;
    throw error;
  }
}
