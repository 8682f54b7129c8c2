// One agent for each data directory. The lock is a file that names its owner's process; one whose owner is gone (kill -9, power
// cut) is taken over. It must never happen that two agents believe that they own the directory.
//
// Node has no lock of the operating system to offer, so the lock is made of what every file system does atomically: a hard link
// that must not exist before, and a rename. Taking over a dead owner's lock needs the link `<lock>.after-<the dead one's nonce>`
// first. A nonce is never used again, so for each dead owner exactly one successor exists; should that one die half-way, too, the
// next one needs the link after *its* nonce. Whoever holds the link looks again whether the lock is still the dead one's: its
// successor replaces the lock before it removes the link.
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dataPaths } from '../files/paths.ts';
import { ensurePrivateDir, isMissing } from '../files/private-files.ts';
import { readAgentFile, removeAgentFile } from './agent-file.ts';
import { isSameProcess, type ProcessIdentity, thisProcess } from './process-identity.ts';

export type InstanceClaim =
  | { readonly ok: true; readonly instance: Instance }
  /** `url` null: that agent does not answer yet, or no more. */
  | { readonly ok: false; readonly owner: { readonly pid: number; readonly url: string | null } };

export interface Instance {
  /** Gives the data directory free, and removes what says how to reach this agent. */
  release(): void;
}

interface Owner extends ProcessIdentity {
  readonly nonce: string;
}

const nonceBytes = 12;
/** How often the lock may change hands while we look; and how many successors may have died one after the other. */
const attemptsMax = 20;
const successorsMax = 100;

/** Makes the directory private, and this process its owner. Throws what the file system says, such as EACCES. */
export function claimDataDir(dataDir: string): InstanceClaim {
  ensurePrivateDir(dataDir);
  const { lockFile } = dataPaths(dataDir);
  const mine: Owner = { ...thisProcess(), nonce: randomBytes(nonceBytes).toString('hex') };
  const draft = `${lockFile}.${mine.nonce}`;
  try {
    // On a full disk the file is made, and nothing is written to it.
    writeFileSync(draft, JSON.stringify(mine), { flag: 'wx', mode: 0o600 });
    const owner = claimLock(lockFile, draft);
    if (owner !== null) {
      const agent = readAgentFile(dataDir);
      return { ok: false, owner: { pid: owner.pid, url: agent?.pid === owner.pid ? agent.url : null } };
    }
  } finally {
    rmSync(draft, { force: true });
  }
  // What a dead predecessor said about itself.
  removeAgentFile(dataDir);
  return {
    ok: true,
    instance: {
      release() {
        removeAgentFile(dataDir);
        if (readOwner(lockFile)?.nonce === mine.nonce) rmSync(lockFile, { force: true });
      },
    },
  };
}

/** null: the lock is ours. Otherwise the living owner. */
function claimLock(lockFile: string, draft: string): Owner | null {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    if (linkNew(draft, lockFile)) return null;
    const owner = readOwner(lockFile);
    if (owner === null) continue;
    if (isSameProcess(owner)) return owner;
    const outcome = takeOver(lockFile, draft, owner);
    if (outcome === 'taken') return null;
    if (outcome !== 'changed') return outcome;
  }
  throw new Error(`${lockFile} changed hands ${attemptsMax} times while it was being claimed`);
}

/**
 * `changed`: somebody else was faster; look again. An owner: it is just taking over. Exported for its tests: that the lock changes
 * between a look and the link cannot be arranged from outside.
 */
export function takeOver(lockFile: string, draft: string, dead: Owner): 'taken' | 'changed' | Owner {
  const links: string[] = [];
  let predecessor = dead;
  while (links.length < successorsMax) {
    const link = `${lockFile}.after-${predecessor.nonce}`;
    links.push(link);
    if (linkNew(draft, link)) {
      if (readOwner(lockFile)?.nonce !== dead.nonce) {
        rmSync(link, { force: true });
        return 'changed';
      }
      renameSync(draft, lockFile);
      for (const one of links) rmSync(one, { force: true });
      return 'taken';
    }
    const successor = readOwner(link);
    if (successor === null || readOwner(lockFile)?.nonce !== dead.nonce) return 'changed';
    if (isSameProcess(successor)) return successor;
    predecessor = successor;
  }
  throw new Error(
    `more than ${successorsMax} agents died while they took over ${lockFile}; remove it and its links`,
  );
}

/** false: the name is taken. */
function linkNew(from: string, name: string): boolean {
  try {
    linkSync(from, name);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** null: there is no lock. One that cannot be read was cut by a power failure: its owner is dead. */
function readOwner(file: string): Owner | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  return parseOwner(text) ?? { pid: 0, started: null, nonce: 'unreadable' };
}

function parseOwner(text: string): Owner | null {
  try {
    const value = JSON.parse(text) as Partial<Owner> | null;
    if (typeof value?.pid !== 'number' || typeof value.nonce !== 'string' || !/^[0-9a-f]+$/.test(value.nonce))
      return null;
    return {
      pid: value.pid,
      nonce: value.nonce,
      started: typeof value.started === 'string' ? value.started : null,
    };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
