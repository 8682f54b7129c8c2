// Notices that the npm process which started a script has ended. npm passes SIGTERM only to the shell that it puts between itself and
// the script, and passes nothing when it is killed; the script then continues without them. No system notifies a process of that
// by an event that Node can receive, so the parents are looked at a few times a second: two system calls each time.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const lookEveryMs = 250;
const shells = /^-?(sh|ash|dash|bash|zsh|ksh|fish|busybox)$/;
const psTimeoutMs = 5_000;

/**
 * Calls `onGone` once when npm, or its shell, has ended. Does nothing in a process that npm did not start.
 * @param {() => void} onGone @param {NodeJS.ProcessEnv} env @returns {() => void} ends the watch
 */
export function watchNpm(onGone, env = process.env) {
  if (env.npm_lifecycle_event === undefined) return () => undefined;
  const parent = process.ppid;
  // A shell may have replaced itself by this process: then the parent is npm, and its parent is irrelevant.
  const above = process.platform !== 'win32' && shells.test(nameOf(parent)) ? parentOf(parent) : null;
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(parent) && (above === null || isStill(parent, above))) return;
    clearInterval(timer);
    onGone();
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Whether `above` is the parent of `parent`. @param {number} parent @param {number} above */
function isStill(parent, above) {
  // Elsewhere than on Linux a process would have to be started for each look.
  return process.platform === 'linux' ? parentOf(parent) === above : isAlive(above);
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** @param {number} pid @returns {number | null} null: there is none, or it is unknown */
function parentOf(pid) {
  const field = process.platform === 'linux' ? statusField(pid, 'PPid') : ps(pid, 'ppid=');
  return field === null || !/^\d+$/.test(field) ? null : Number(field);
}

/** @param {number} pid */
function nameOf(pid) {
  const name = process.platform === 'linux' ? statusField(pid, 'Name') : ps(pid, 'comm=');
  return path.basename(name ?? '');
}

/** proc_pid_status(5). @param {number} pid @param {string} field */
function statusField(pid, field) {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return new RegExp(`^${field}:\\s+(.*)$`, 'm').exec(text)?.[1]?.trim() ?? null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return null;
    throw error;
  }
}

/** ps(1). @param {number} pid @param {string} column */
function ps(pid, column) {
  const { stdout } = spawnSync('ps', ['-o', column, '-p', String(pid)], {
    encoding: 'utf8',
    timeout: psTimeoutMs,
  });
  return stdout?.trim() || null;
}
