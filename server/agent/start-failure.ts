// Describes for people why the agent cannot start, and what to do. Reads only.
import { existsSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { bytesText } from '../platform/config/quantities.ts';
import { readAgentFile } from '../platform/process/agent-file.ts';
import { isProcessAlive } from '../platform/process/process-identity.ts';
import { checkStore } from '../store/adapters/maintenance.ts';
import { DataDirInUseError } from '../store/database/data-dir-lock.ts';
import { FutureDatabaseError } from '../store/database/migrate.ts';
import { databaseFileName, storeFaultOf } from '../store/database/sqlite.ts';
import { CorruptStoreError } from '../store/maintenance/corruption.ts';
import { StoreUnavailableError } from '../store/port/errors.ts';
import type { StoreFault } from '../store/port/store.ts';

/** With less free space a database cannot be opened: its write-ahead log and index need some pages. */
const roomBytesMin = 1024 * 1024;
/** Findings of a check in the message; `doctor` lists all. */
const findingsShown = 3;

/** The agent cannot start, or a restore failed: the message is the cause, `remedy` the next step. */
export class AgentStartError extends Error {
  override readonly name = 'AgentStartError';
  readonly remedy: string;
  constructor(message: string, remedy: string, cause?: unknown) {
    super(message, { cause });
    this.remedy = remedy;
  }
}

function dataDirInUse(dataDir: string, error: DataDirInUseError): AgentStartError {
  const agent = readAgentFile(dataDir);
  // Without the file of a living agent the owner is a restore, or an agent that has just taken the lock.
  const isKnown = agent !== null && isProcessAlive(agent.pid);
  const where = isKnown && agent.url !== null ? ` at ${agent.url}` : '';
  const owner = isKnown ? `another agent${where} (pid ${agent.pid})` : 'another process';
  return new AgentStartError(
    `Data directory ${dataDir} is in use by ${owner}.`,
    'Stop it or pass --data-dir.',
    error,
  );
}

/** Known errors get a cause and a next step; others are faults of the program and are returned unchanged. */
export async function describeStartFailure(dataDir: string, error: unknown): Promise<unknown> {
  if (error instanceof AgentStartError) return error;
  if (error instanceof DataDirInUseError) return dataDirInUse(dataDir, error);
  const fault = faultIn(error);
  if (fault === 'full' || isDiskFullFor(dataDir, error)) return diskFull(dataDir, error);
  if (fault === 'corrupted') return corrupted(damageIn(dataDir, error), dataDir, error);
  const system = systemErrorIn(dataDir, error);
  if (system !== null) {
    return new AgentStartError(
      `Data directory ${dataDir} cannot be used: ${messageOf(system)}.`,
      'Make it a directory that this user may write to, or pass another one with --data-dir.',
      error,
    );
  }
  // Corrupted pages also appear as values that no program has written, such as a schema version.
  const findings = await findingsOf(dataDir);
  if (findings.length > 0 && !(error instanceof FutureDatabaseError && isOnlyNewer(findings))) {
    const shown = findings.slice(0, findingsShown).join('; ');
    return corrupted(`${path.join(dataDir, databaseFileName)} is corrupted: ${shown}`, dataDir, error);
  }
  if (!(error instanceof FutureDatabaseError)) return error;
  return new AgentStartError(
    `Data directory ${dataDir} was written by a newer version of Mooring: ${error.message}.`,
    'Nothing was changed. Install the newer version.',
    error,
  );
}

function corrupted(cause: string, dataDir: string, error: unknown): AgentStartError {
  return new AgentStartError(
    `${cause}.`,
    `Nothing was changed. Restore a backup: mooring backup restore DIR. Without a backup, rename ${dataDir}: the agent creates a new one, and adding the mirrored folders again uploads their files. "mooring doctor" lists the damage.`,
    error,
  );
}

function diskFull(dataDir: string, error: unknown): AgentStartError {
  const free = freeBytes(dataDir);
  const room = free === null ? '' : ` (${bytesText(free)} free)`;
  return new AgentStartError(
    `The disk of ${dataDir} is full${room}: ${messageOf(error)}.`,
    'Free some space and start again. All stored data is intact.',
    error,
  );
}

/** The error and what caused it, outermost first. */
function* chainOf(error: unknown): Generator<unknown> {
  for (let one = error; one !== undefined && one !== null; one = one instanceof Error ? one.cause : null) {
    yield one;
    if (one instanceof AggregateError) for (const inner of one.errors) yield* chainOf(inner);
  }
}

function faultIn(error: unknown): StoreFault | null {
  for (const one of chainOf(error)) {
    if (one instanceof CorruptStoreError) return 'corrupted';
    const fault = (one instanceof StoreUnavailableError ? one.fault : null) ?? storeFaultOf(one);
    if (fault !== null) return fault;
  }
  return null;
}

function damageIn(dataDir: string, error: unknown): string {
  const known = [...chainOf(error)].find((one) => one instanceof CorruptStoreError);
  if (known !== undefined) return messageOf(known);
  const inner = [...chainOf(error)].at(-1);
  return `${path.join(dataDir, databaseFileName)} is corrupted: ${messageOf(inner)}`;
}

/** SQLite reports a full disk as an I/O error, or as a file that cannot be opened, where it needs space for its own files. */
function isDiskFullFor(dataDir: string, error: unknown): boolean {
  const codes = [...chainOf(error)].map(codeOf);
  if (!codes.some((code) => /^SQLITE_(IOERR|CANTOPEN|READONLY)/.test(code ?? ''))) return false;
  return (freeBytes(dataDir) ?? roomBytesMin) < roomBytesMin;
}

/** For this user; 0 on a disk without free inodes. null: unknown. */
function freeBytes(dir: string): number | null {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(dir);
    return files > 0 && ffree === 0 ? 0 : bavail * bsize;
  } catch {
    return null;
  }
}

/** A system error of the data directory, of a file in it, or of a directory above it. */
function systemErrorIn(dataDir: string, error: unknown): unknown {
  return [...chainOf(error)].find((one) => isSystemErrorOf(dataDir, one)) ?? null;
}

function isSystemErrorOf(dataDir: string, error: unknown): boolean {
  if (!/^E[A-Z]+$/.test(codeOf(error) ?? '')) return false;
  const { path: failedPath } = error as { readonly path?: unknown };
  return typeof failedPath === 'string' && (isWithin(failedPath, dataDir) || isWithin(dataDir, failedPath));
}

function isWithin(file: string, dir: string): boolean {
  const relative = path.relative(dir, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

async function findingsOf(dataDir: string): Promise<readonly string[]> {
  if (!existsSync(path.join(dataDir, databaseFileName))) return [];
  return await checkStore(dataDir).catch((error: unknown) => [messageOf(error)]);
}

/** Only tables or columns that this version does not know: a newer version created them. */
function isOnlyNewer(findings: readonly string[]): boolean {
  return findings.every((finding) => /no such (table|column)/.test(finding));
}

export function describeListenFailure(host: string, port: number, error: unknown): unknown {
  const code = codeOf(error);
  if (code === null) return error;
  return new AgentStartError(
    `The agent cannot listen on ${host}:${port}: ${messageOf(error)}.`,
    'Choose another address with --listen HOST:PORT.',
    error,
  );
}

/** Errors of Node and SQLite have a code. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
