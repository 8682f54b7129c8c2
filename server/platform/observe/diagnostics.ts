// What `doctor` looks at on this machine: the runtime, the data directory, the disk, the kernel's limits. It only reads. What
// needs the store or the mirrors is added by the composition root.
import { readFileSync, statfsSync, statSync } from 'node:fs';
import type { Diagnostics } from '../../contract/agent.ts';
import { dataPaths } from '../files/paths.ts';
import { isMissing } from '../files/private-files.ts';

const nodeMajorMin = 24;
/** Below this a commit or a first mirror may fail soon. */
const freeBytesWarning = 1024 ** 3;
const freeBytesFailed = 100 * 1024 ** 2;
/** A folder tree of some size needs one watch a directory. */
const inotifyWatchesMin = 131_072;
const inotifyInstancesMin = 128;

export type DiagnosticCheck = Diagnostics['checks'][number];

/** Everything that can be said without the store. The data directory may be missing: the first start makes it. */
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
    next: `Use Node ${nodeMajorMin}: this one is not tested.`,
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
      return { name, state: 'ok', detail: `${file} is not there yet; the first start makes it` };
    throw error;
  }
  const detail = `${file} has mode ${found.toString(8)}`;
  // Windows has no such modes: the user's profile protects the files.
  if (process.platform === 'win32' || (found & ~mode) === 0) return { name, state: 'ok', detail };
  return {
    name,
    state: 'failed',
    detail,
    next: `Others may read it: chmod ${mode.toString(8)} ${JSON.stringify(file)}`,
  };
}

function diskCheck(dataDir: string): DiagnosticCheck {
  const name = 'disk space';
  let freeBytes: number;
  try {
    const { bavail, bsize } = statfsSync(dataDir);
    freeBytes = bavail * bsize;
  } catch (error) {
    if (isMissing(error)) return { name, state: 'ok', detail: `${dataDir} is not there yet` };
    throw error;
  }
  const detail = `${(freeBytes / 1e9).toFixed(1)} GB free for ${dataDir}`;
  if (freeBytes >= freeBytesWarning) return { name, state: 'ok', detail };
  const state = freeBytes < freeBytesFailed ? 'failed' : 'warning';
  return { name, state, detail, next: 'Make room: history is kept on this disk, too.' };
}

/** Linux only: elsewhere the kernel sets no such limits. */
function inotifyChecks(): readonly DiagnosticCheck[] {
  if (process.platform !== 'linux') return [];
  return [
    inotifyCheck('max_user_watches', inotifyWatchesMin, 524_288),
    inotifyCheck('max_user_instances', inotifyInstancesMin, 512),
  ];
}

function inotifyCheck(setting: string, least: number, advised: number): DiagnosticCheck {
  const name = `inotify ${setting}`;
  const file = `/proc/sys/fs/inotify/${setting}`;
  let limit: number;
  try {
    limit = Number(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      name,
      state: 'warning',
      detail: `The limit cannot be read: ${why}`,
      next: 'Folders may be polled.',
    };
  }
  if (limit >= least) return { name, state: 'ok', detail: `${setting} is ${limit}` };
  return {
    name,
    state: 'warning',
    detail: `${setting} is ${limit}; folders beyond it are polled`,
    next: `sudo sysctl fs.inotify.${setting}=${advised}`,
  };
}
