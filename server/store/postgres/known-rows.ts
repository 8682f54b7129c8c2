// Rows that a group of changes will ask for, loaded with its begin: the entries at its paths and above them, the open and the waiting
// operation of each path, and what every change asks about its workspace. Without them a change waits for the server nine times.
//
// What a statement writes is read from its text and its values: writes of files by many clients at once are often writes of one file. A
// text that is not one of the few below makes everything unknown, which costs a round trip and is never wrong.
import { ancestorsOf } from '../../core/paths/path.ts';
import { type EntryRow, entryColumns, selectEntry, statusCode } from '../database/rows.ts';
import type { Command } from '../port/commands.ts';
import { insertFile, updateFile } from '../tables/change/write-decision.ts';
import { insertOperation, supersedeOperation } from '../tables/change/write-log.ts';
import { selectSubscription } from '../tables/feed/subscription-deliveries.ts';
import { deleteEntry, selectDirectory, storeDirectory } from '../tables/files/directories.ts';
import { selectAclFile } from '../tables/files/entry-metadata.ts';
import { selectOpenOperation } from '../tables/files/provenance.ts';
import { deleteStaged, type StagedRow, selectStaged, storeStaged } from '../tables/forks/rows.ts';
import { selectWaitingOperation } from '../tables/outbound/pending-operations.ts';
import { selectProvider } from '../tables/outbound/providers.ts';
import { selectActiveWorkspace } from '../tables/workspaces/workspaces.ts';

/** Of operations that wait or run. */
const openStatuses: ReadonlySet<number> = new Set([statusCode('pending'), statusCode('running')]);

/** Paths of a group that are loaded; the rest is asked for one by one. */
const pathsMax = 20_000;

// LIMIT keeps each a search by key: without statistics of a new database the planner reads the whole tables for a join.
const selectPaths = `SELECT wanted.path AS wanted_path, workspaces.number AS number, ${entryColumns},
    (SELECT 1 FROM operations WHERE operations.workspace = workspaces.number AND operations.path = wanted.path
      AND status IN (1, 2) LIMIT 1) AS is_open,
    (${selectWaitingOperation.replace('workspace = ?', 'operations.workspace = workspaces.number').replace('path = ?', 'path = wanted.path')}) AS waiting
  FROM unnest(CAST(? AS text[]), CAST(? AS text[])) AS wanted (workspace_id, path)
  JOIN workspaces ON workspaces.workspace_id = wanted.workspace_id
  LEFT JOIN LATERAL (SELECT * FROM entries AS one WHERE one.workspace = workspaces.number AND one.path = wanted.path LIMIT 1)
    AS entries ON true`;

const selectWorkspaces = `SELECT wanted.workspace_id AS wanted_id, number,
    EXISTS (${selectAclFile.replace('?', 'workspaces.number')}) AS has_acl_files,
    EXISTS (${selectSubscription.replace('?', 'workspaces.number')}) AS has_subscriptions,
    coalesce((SELECT CAST(json_agg(name) AS text) FROM providers WHERE providers.workspace = workspaces.number), '[]') AS providers
  FROM unnest(CAST(? AS text[])) AS wanted (workspace_id)
  LEFT JOIN workspaces ON workspaces.workspace_id = wanted.workspace_id AND deleted_at IS NULL`;

const selectNumbered = `SELECT wanted.path AS wanted_path, wanted.number AS number, ${entryColumns}
  FROM unnest(CAST(? AS bigint[]), CAST(? AS text[])) AS wanted (number, path)
  LEFT JOIN LATERAL (SELECT * FROM entries AS one WHERE one.workspace = wanted.number AND one.path = wanted.path LIMIT 1)
    AS entries ON true`;

const selectStagedPaths = `SELECT wanted.path AS wanted_path, CAST(? AS bigint) AS fork, staged.path AS path, kind, made_on
  FROM unnest(CAST(? AS text[])) AS wanted (path)
  LEFT JOIN LATERAL (SELECT * FROM fork_paths AS one WHERE one.fork = ? AND one.path = wanted.path LIMIT 1)
    AS staged ON true`;

interface NumberedRow extends Omit<EntryRow, 'path'> {
  /** null: there is no entry. */
  readonly path: string | null;
  readonly wanted_path: string;
  readonly number: number;
}

interface StagedPathRow extends Omit<StagedRow, 'path'> {
  /** null: nothing is staged there. */
  readonly path: string | null;
  readonly wanted_path: string;
  readonly fork: number;
}

interface PathRow extends NumberedRow {
  readonly is_open: number | null;
  /** Its number. */
  readonly waiting: number | null;
}

interface WorkspaceRow {
  readonly wanted_id: string;
  /** null: there is none, or it is deleted. */
  readonly number: number | null;
  readonly has_acl_files: number;
  readonly has_subscriptions: number;
  /** Their names, as JSON. */
  readonly providers: string;
}

/** A statement that loads rows ahead; its rows are given to `set` with `known`. */
export interface Wanted {
  readonly known: 'paths' | 'workspaces' | 'numbered' | 'staged';
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** What changes of files will look at. */
export function wantedBy(commands: readonly Command[]): readonly Wanted[] {
  const places = new WantedPlaces();
  for (const { name, input } of commands) {
    if (name !== 'change_files') continue;
    for (const change of input.changes)
      for (const path of 'path' in change ? [change.path] : [change.from, change.to])
        places.add(input.workspaceId, path);
  }
  return places.wanted();
}

/** What changes at these paths will look at. */
export function wantedAt(workspaceId: string, paths: readonly string[]): readonly Wanted[] {
  const places = new WantedPlaces();
  for (const path of paths) places.add(workspaceId, path);
  return places.wanted();
}

export interface ForkNumbers {
  readonly fork: number;
  readonly workspace: number;
  /** Under which its own files are stored. */
  readonly holding: number;
}

/** What changes that are staged at these paths will look at. */
export function wantedInFork(
  { fork, workspace, holding }: ForkNumbers,
  paths: readonly string[],
): readonly Wanted[] {
  const seen = new Set<string>();
  for (const path of paths) {
    if (seen.size >= pathsMax / 2) break;
    seen.add(path);
    for (const above of ancestorsOf(path)) seen.add(above);
  }
  if (seen.size === 0) return [];
  const all = [...seen];
  const numbers = [workspace, holding].flatMap((number) => all.map(() => number));
  return [
    { known: 'numbered', sql: selectNumbered, values: [numbers, [...all, ...all]] },
    { known: 'staged', sql: selectStagedPaths, values: [fork, all, fork] },
  ];
}

class WantedPlaces {
  readonly #workspaceIds: string[] = [];
  readonly #paths: string[] = [];
  readonly #seen = new Set<string>();

  /** With the directories above it. */
  add(workspaceId: string, path: string): void {
    this.#want(workspaceId, path);
    for (const above of ancestorsOf(path)) this.#want(workspaceId, above);
  }

  wanted(): readonly Wanted[] {
    if (this.#paths.length === 0) return [];
    return [
      { known: 'paths', sql: selectPaths, values: [this.#workspaceIds, this.#paths] },
      { known: 'workspaces', sql: selectWorkspaces, values: [[...new Set(this.#workspaceIds)]] },
    ];
  }

  #want(workspaceId: string, path: string): void {
    const key = `${workspaceId}\0${path}`;
    if (this.#seen.has(key) || this.#seen.size >= pathsMax) return;
    this.#seen.add(key);
    this.#workspaceIds.push(workspaceId);
    this.#paths.push(path);
  }
}

type Answer = { readonly row: unknown } | null;

const found: Answer = { row: { known: 1 } };
const notFound: Answer = { row: undefined };

export class KnownRows {
  readonly #entries = new Map<string, EntryRow | undefined>();
  /** Of paths: does an operation wait or run there? */
  readonly #open = new Map<string, boolean>();
  /** Of paths: the number of the waiting operation; null: there is none. */
  readonly #waiting = new Map<string, number | null>();
  /** The path at which an operation waits, by its number. */
  readonly #waitingPaths = new Map<number, string>();
  readonly #numbers = new Map<string, number | null>();
  readonly #workspaces = new Map<number, WorkspaceRow & { readonly providerNames: ReadonlySet<string> }>();
  /** What is staged, by fork and path. */
  readonly #staged = new Map<string, StagedRow | undefined>();

  get #isEmpty(): boolean {
    return this.#entries.size + this.#open.size + this.#numbers.size + this.#staged.size === 0;
  }

  set(known: Wanted['known'], rows: readonly unknown[]): void {
    switch (known) {
      case 'paths':
        for (const row of rows as readonly PathRow[]) this.#setPath(row);
        return;
      case 'workspaces':
        for (const row of rows as readonly WorkspaceRow[]) this.#setWorkspace(row);
        return;
      case 'numbered':
        for (const row of rows as readonly NumberedRow[]) this.#setNumbered(row);
        return;
      case 'staged':
        for (const { wanted_path, fork, path, ...columns } of rows as readonly StagedPathRow[])
          this.#staged.set(keyOf(fork, wanted_path), path === null ? undefined : { ...columns, path });
        return;
      default:
        known satisfies never;
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#staged.clear();
    this.#clearOperations();
    this.#clearWorkspaces();
  }

  /** null: it is not known. */
  answer(sql: string, values: readonly unknown[]): Answer {
    if (this.#isEmpty) return null;
    switch (sql) {
      case selectEntry:
      case selectDirectory:
        return this.#answerEntry(sql, keyOf(values[0], values[1]));
      case selectStaged: {
        const key = keyOf(values[0], values[1]);
        return this.#staged.has(key) ? { row: this.#staged.get(key) } : null;
      }
      case selectOpenOperation:
        return foundIf(this.#open.get(keyOf(values[0], values[1])));
      case selectWaitingOperation: {
        const number = this.#waiting.get(keyOf(values[0], values[1]));
        if (number === undefined) return null;
        return number === null ? notFound : { row: { number } };
      }
      case selectActiveWorkspace: {
        const number = this.#numbers.get(String(values[0]));
        if (number === undefined) return null;
        return number === null ? notFound : { row: { number } };
      }
      case selectAclFile:
        return foundIf(this.#workspaces.get(Number(values[0]))?.has_acl_files);
      case selectSubscription:
        return foundIf(this.#workspaces.get(Number(values[0]))?.has_subscriptions);
      case selectProvider:
        return foundIf(this.#workspaces.get(Number(values[0]))?.providerNames.has(String(values[1])));
      default:
        return null;
    }
  }

  /** The statement is about to run. */
  written(sql: string, values: readonly unknown[]): void {
    if (this.#isEmpty) return;
    if (/\bentries\b/.test(sql)) this.#entryWritten(sql, values);
    if (/\bfork_paths\b/.test(sql)) this.#stagedWritten(sql, values);
    if (/\boperations\b/.test(sql)) this.#operationWritten(sql, values);
    if (/\b(workspaces|access_rules|subscriptions|providers)\b/.test(sql)) {
      this.#clearWorkspaces();
      // Which operations wait depends on the providers that are registered.
      this.#clearWaiting();
    }
  }

  #setPath(row: PathRow): void {
    const { is_open: isOpen, waiting, ...entry } = row;
    const key = this.#setNumbered(entry);
    this.#open.set(key, isOpen === 1);
    this.#setWaiting(key, waiting);
  }

  /** Returns the key of the path. */
  #setNumbered({ wanted_path, number, path, ...columns }: NumberedRow): string {
    const key = keyOf(number, wanted_path);
    this.#entries.set(key, path === null ? undefined : { ...columns, path });
    return key;
  }

  #setWaiting(key: string, number: number | null): void {
    this.#waiting.set(key, number);
    if (number !== null) this.#waitingPaths.set(number, key);
  }

  #setWorkspace(row: WorkspaceRow): void {
    this.#numbers.set(row.wanted_id, row.number);
    if (row.number === null) return;
    const providerNames = new Set(JSON.parse(row.providers) as readonly string[]);
    this.#workspaces.set(row.number, { ...row, providerNames });
  }

  #clearWorkspaces(): void {
    this.#numbers.clear();
    this.#workspaces.clear();
  }

  #clearWaiting(): void {
    this.#waiting.clear();
    this.#waitingPaths.clear();
  }

  #clearOperations(): void {
    this.#open.clear();
    this.#clearWaiting();
  }

  #answerEntry(sql: string, key: string): Answer {
    if (!this.#entries.has(key)) return null;
    const row = this.#entries.get(key);
    if (sql === selectEntry) return { row };
    return { row: row === undefined || row.files === null ? undefined : row };
  }

  #operationWritten(sql: string, values: readonly unknown[]): void {
    if (sql === insertOperation) {
      const [workspace, number, path, , , provider, status] = values;
      const key = keyOf(workspace, path);
      if (openStatuses.has(Number(status))) this.#open.set(key, true);
      const providers = this.#workspaces.get(Number(workspace))?.providerNames;
      if (providers === undefined) this.#waiting.delete(key);
      else if (status === statusCode('pending') && providers.has(String(provider)))
        this.#setWaiting(key, Number(number));
    } else if (sql === supersedeOperation) {
      const number = Number(values.at(-1));
      const key = this.#waitingPaths.get(number);
      if (key !== undefined && this.#waiting.get(key) === number) this.#waiting.delete(key);
    } else this.#clearOperations();
  }

  #entryWritten(sql: string, values: readonly unknown[]): void {
    if (sql === deleteEntry) this.#setEntry(values[0], values[1], () => undefined);
    else if (sql === storeDirectory)
      this.#setEntry(values[0], values[1], (path) => directoryRow(path, values));
    else if (sql === insertFile)
      this.#setEntry(values[0], values[1], (path) => fileRow(path, values.slice(2, -1)));
    else if (sql === updateFile)
      this.#setEntry(values.at(-2), values.at(-1), (path) => fileRow(path, values.slice(0, -2)));
    else this.#entries.clear();
  }

  #stagedWritten(sql: string, [fork, path, kind, madeOn]: readonly unknown[]): void {
    const text = String(path);
    if (!text.isWellFormed() || (sql !== storeStaged && sql !== deleteStaged)) this.#staged.clear();
    else
      this.#staged.set(
        keyOf(fork, text),
        sql === deleteStaged ? undefined : { path: text, kind: Number(kind), made_on: Number(madeOn) },
      );
  }

  #setEntry(workspace: unknown, path: unknown, rowOf: (path: string) => EntryRow | undefined): void {
    const text = String(path);
    // What is no Unicode is stored with replacement characters, so under another path.
    if (text.isWellFormed()) this.#entries.set(keyOf(workspace, text), rowOf(text));
    else this.#entries.clear();
  }
}

/** undefined: it is not known. */
function foundIf(isThere: boolean | number | undefined): Answer {
  if (isThere === undefined) return null;
  return isThere === true || isThere === 1 ? found : notFound;
}

function directoryRow(path: string, [, , files, updatedAt]: readonly unknown[]): EntryRow {
  return {
    path,
    files: Number(files),
    updated_at: Number(updatedAt),
    revision: null,
    hash: '',
    size: null,
    content_type: null,
    base64: null,
    provider_object_id: null,
    semantics: null,
  };
}

/** The row that a read finds after it was stored. */
function fileRow(
  path: string,
  [updatedAt, revision, hash, size, contentType, base64, objectId, semantics]: readonly unknown[],
): EntryRow {
  return {
    path,
    files: null,
    updated_at: Number(updatedAt),
    revision: Number(revision),
    hash: (hash as Buffer).toString('hex'),
    size: Number(size),
    content_type: storedText(contentType),
    base64: Number(base64),
    provider_object_id: storedText(objectId),
    semantics: storedText(semantics),
  };
}

function storedText(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value).toWellFormed();
}

function keyOf(workspace: unknown, path: unknown): string {
  return `${workspace}\0${path}`;
}
