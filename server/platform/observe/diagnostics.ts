// Checks of `doctor` for this machine: runtime, data directory, disk, kernel limits. Read-only. The composition root adds the checks
// that need the store or the mirrors.
import { readFileSync, statfsSync, statSync } from 'node:fs';
import type { Diagnostics } from '../../contract/agent.ts';
import { dataPaths } from '../files/paths.ts';
import { isMissing } from '../files/private-files.ts';

const nodeMajorMin = 24;
/** With less free space, a commit or a first sync may fail soon. */
const freeBytesWarning = 1024 ** 3;
const freeBytesFailed = 100 * 1024 ** 2;
/** File watching needs one watch per directory. */
const inotifyWatchesMin = 131_072;
const inotifyInstancesMin = 128;

export type DiagnosticCheck = Diagnostics['checks'][number];

/** The checks without the store. The data directory may be missing: the first start creates it. */
export function machineChecks(dataDir: string): readonly DiagnosticCheck[] {
  return [nodeCheck(), ...dataDirChecks(dataDir), diskCheck(dataDir), ...inotifyChecks()];
}

function nodeCheck(): DiagnosticCheck {
  const { node } = process.versions;
  const detail = `Node ${node}, Node-API ${process.versions.napi}`;
  if (Number(node.split('.')[0]) >= nodeMajorMin) return { name: 'node', state: 'ok', detail };
  return {
    name: 'node',
    state: 'warning',
    detail,
    next: `Use Node ${nodeMajorMin}: this version is not tested.`,
  };
}

function dataDirChecks(dataDir: string): readonly DiagnosticCheck[] {
  const { ownerTokenFile, signingKeyFile } = dataPaths(dataDir);
  return [
    modeCheck('data directory', dataDir, 0o700),
    modeCheck('owner token', ownerTokenFile, 0o600),
    modeCheck('signing key', signingKeyFile, 0o600),
  ];
}

function modeCheck(name: string, file: string, mode: number): DiagnosticCheck {
  let found: number;
  try {
    found = statSync(file).mode & 0o777;
  } catch (error) {
    if (isMissing(error))
      return { name, state: 'ok', detail: `${file} does not exist yet; the first start creates it` };
    throw error;
  }
  const detail = `${file} has mode ${found.toString(8)}`;
  // Windows has no file modes: the user's profile protects the files.
  if (process.platform === 'win32' || (found & ~mode) === 0) return { name, state: 'ok', detail };
  return {
    name,
    state: 'failed',
    detail,
    next: `Other users may read it. Run: chmod ${mode.toString(8)} ${JSON.stringify(file)}`,
  };
}

function diskCheck(dataDir: string): DiagnosticCheck {
  const name = 'disk space';
  let freeBytes: number;
  try {
    const { bavail, bsize } = statfsSync(dataDir);
    freeBytes = bavail * bsize;
  } catch (error) {
    if (isMissing(error)) return { name, state: 'ok', detail: `${dataDir} does not exist yet` };
    throw error;
  }
  const detail = `${(freeBytes / 1e9).toFixed(1)} GB free for ${dataDir}`;
  if (freeBytes >= freeBytesWarning) return { name, state: 'ok', detail };
  const state = freeBytes < freeBytesFailed ? 'failed' : 'warning';
  return {
    name,
    state,
    detail,
    next: 'Free disk space, or lower --history-bytes: this disk also stores the history.',
  };
}

/** Linux only: other kernels have no such limits. */
function inotifyChecks(): readonly DiagnosticCheck[] {
  if (process.platform !== 'linux') return [];
  return [
    inotifyCheck('max_user_watches', inotifyWatchesMin, 524_288),
    inotifyCheck('max_user_instances', inotifyInstancesMin, 512),
  ];
}

function inotifyCheck(setting: string, min: number, recommended: number): DiagnosticCheck {
  const name = `inotify ${setting}`;
  const file = `/proc/sys/fs/inotify/${setting}`;
  let limit: number;
  try {
    limit = Number(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      name,
      state: 'warning',
      detail: `The limit cannot be read: ${reason}`,
      next: `Check that ${file} is readable; folders may be polled instead of watched.`,
    };
  }
  if (limit >= min) return { name, state: 'ok', detail: `${setting} is ${limit}` };
  return {
    name,
    state: 'warning',
    detail: `${setting} is ${limit}; folders above the limit are polled instead of watched`,
    next: `Run: sudo sysctl fs.inotify.${setting}=${recommended}`,
  };
}
