// Identifies a process by id and start time: process ids are reused, so an id alone does not identify a process.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  readonly pid: number;
  /** Start time, different for two processes with the same id. null: unknown on this platform. */
  readonly started: string | null;
}

const psTimeoutMs = 5_000;

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid) };
}

/** false: the process has ended. A process of another user, and one whose start time is unknown, count as alive. */
export function isSameProcess({ pid, started }: ProcessIdentity): boolean {
  if (!isProcessAlive(pid)) return false;
  const current = startOf(pid);
  // Ended or a zombie where the platform has start times; otherwise unknown.
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

/** null: the process does not exist, or the platform has no start times. */
function startOf(pid: number): string | null {
  if (process.platform === 'linux') return startOnLinux(pid);
  if (process.platform === 'darwin') return startOnDarwin(pid);
  return null;
}

/** proc_pid_stat(5): the name in parentheses may contain any character, so fields are counted from its end. */
function startOnLinux(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  const startTicks = fields[19];
  if (startTicks === undefined || state === 'Z' || state === 'X') return null;
  // Ticks count from the boot; without the boot id the same value could occur after a restart.
  return `${(readText('/proc/sys/kernel/random/boot_id') ?? '').trim()}/${startTicks}`;
}

/** ps(1): the start time in seconds, and the state. */
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
    // ps exits with 1 when the process does not exist.
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
