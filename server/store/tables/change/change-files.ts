// Executes changes of files: loads the state that a change needs, lets core/change decide, writes the decision. Runs in the writer,
// inside its transaction; it decides nothing.
import { isAclPath } from '../../../core/access/acl.ts';
import {
  type Applied,
  type ChangeResult,
  type FileChange,
  pathOfChange,
  type Refusal,
} from '../../../core/change/change.ts';
import { isChangeAllowed, permissionsOf } from '../../../core/change/change-access.ts';
import { decide } from '../../../core/change/decide.ts';
import type {
  AcceptedChange,
  AclFile,
  ChangeState,
  EarlierWrite,
  PathState,
} from '../../../core/change/decision.ts';
import type { AccessSubject, Entry } from '../../../core/entry.ts';
import { ancestorsOf, providerOf } from '../../../core/paths/path.ts';
import type { BlobRows } from '../../contents/blob-rows.ts';
import type { Counters } from '../../database/counters.ts';
import { type EntryRow, entryOf, selectEntry } from '../../database/rows.ts';
import type { WriteStatements } from '../../database/statements.ts';
import type { Input, Result } from '../../port/commands.ts';
import { DirectoryCounts } from '../files/directories.ts';
import { hasAclFiles, readAclFile } from '../files/entry-metadata.ts';
import { ruleText } from '../files/files.ts';
import { identifiedWrite } from '../files/identities.ts';
import { objectPath } from '../files/provenance.ts';
import { waitingOperationAt } from '../outbound/pending-operations.ts';
import { findActiveWorkspace } from '../workspaces/workspaces.ts';
import { writeDecision } from './write-decision.ts';

/** Thrown by a handler to roll back its command and still answer with this result. */
export class RolledBack<T> extends Error {
  override readonly name = 'RolledBackError';
  readonly result: T;

  constructor(result: T) {
    super('the command was rolled back');
    this.result = result;
  }
}

/** Runs an atomic command, which reports a refusal by its rollback. null: all of it was applied. */
export function refusalOf(run: () => unknown): Refusal | null {
  try {
    run();
    return null;
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
    const results = error.result as readonly ChangeResult[];
    const refusal = results.find((result): result is Refusal => !result.ok && result.code !== 'not_applied');
    if (refusal === undefined) throw new Error('a command was refused without a reason');
    return refusal;
  }
}

export interface ChangeDeps {
  readonly statements: WriteStatements;
  readonly counters: Counters;
  readonly blobs: BlobRows;
  /** Does anyone acknowledge operations of this provider in this workspace? */
  readonly hasConsumer: (workspace: number, provider: string) => boolean;
  /** Called with the workspace of each command that created events. */
  readonly touched: (workspaceId: string) => void;
}

type ChangeFilesInput = Input<'change_files'>;

export function changeFiles(deps: ChangeDeps, command: ChangeFilesInput): Result<'change_files'> {
  const session = new ChangeSession(deps, command);
  const results = session.change(command);
  session.flush();
  return results;
}

/**
 * Commands of one workspace and time in one transaction: what they loaded about directories and rules is cached between them, and
 * directories are written once. Call `flush` before other code reads them.
 */
export class ChangeSession {
  readonly #parts: ChangeDeps;
  readonly #workspace: number | null;
  readonly #loader: Loader;

  constructor(deps: ChangeDeps, about: Pick<ChangeFilesInput, 'workspaceId' | 'atMs' | 'makesOperations'>) {
    this.#parts = deps;
    this.#workspace = findActiveWorkspace(deps.statements, about.workspaceId);
    this.#loader = new Loader(deps, this.#workspace ?? 0, about);
  }

  /** Throws RolledBack when an atomic command is refused; a command of a single change has written nothing then. */
  change(command: ChangeFilesInput): Result<'change_files'> {
    return runChanges(this.#parts, this.#loader, this.#workspace, command);
  }

  /** By the access rules in force at this point of the transaction. */
  allows(path: string, access: AccessSubject | null): boolean {
    return access === null || isChangeAllowed(this.#loader.permissionsAt(path), { access });
  }

  flush(): void {
    this.#loader.directories.flush();
  }

  /** After a rollback of changes since the last `flush`. */
  forget(): void {
    this.#loader.directories.forget();
    this.#loader.forgetAclFiles();
  }
}

function runChanges(
  deps: ChangeDeps,
  loader: Loader,
  workspace: number | null,
  command: ChangeFilesInput,
): Result<'change_files'> {
  const { counters } = deps;
  const eventsBefore = counters.last.event;
  const batch = batchOf(command, counters.last.revision + 1);
  const results: ChangeResult[] = [];
  for (const change of command.changes) {
    const decision = decide(change, loader.load(change), {
      workspaceExists: workspace !== null,
      access: command.access,
      atMs: command.atMs,
      nextRevision: counters.last.revision + 1,
      nextOperation: counters.last.operation + 1,
      makesOperations: command.makesOperations,
      hasConsumer: (provider) => deps.hasConsumer(workspace ?? 0, provider),
    });
    if (!decision.ok) {
      if (command.atomic) throw new RolledBack(refuseTogether(command.changes, decision, results.length));
      results.push(decision);
      continue;
    }
    if (decision.accepted !== null && workspace !== null) {
      persist(deps, loader, workspace, { ...command, batch }, decision.accepted, decision.result);
    }
    results.push(decision.result);
  }
  if (counters.last.event > eventsBefore) deps.touched(command.workspaceId);
  return results;
}

function persist(
  deps: ChangeDeps,
  loader: Loader,
  workspace: number,
  command: ChangeFilesInput & { readonly batch: number | null },
  accepted: AcceptedChange,
  result: Applied,
): void {
  const { statements, counters, blobs } = deps;
  writeDecision({ statements, blobs, directories: loader.directories }, workspace, command, accepted, {
    result,
    firstEventSeq: counters.last.event + 1,
  });
  counters.take({
    revision: accepted.history.length,
    event: accepted.events.length,
    operation: accepted.operations.length,
  });
  if (accepted.aclFiles.length > 0) loader.forgetAclFiles();
}

/** The revision of its first change identifies a request; a single change needs no batch. */
function batchOf({ changes }: ChangeFilesInput, firstRevision: number): number | null {
  const [first] = changes;
  const single = changes.length === 1 && first?.kind !== 'move_file' && first?.kind !== 'place_draft';
  return single ? null : firstRevision;
}

function refuseTogether(changes: readonly FileChange[], refusal: Refusal, at: number): ChangeResult[] {
  return changes.map((change, index) =>
    index === at
      ? refusal
      : {
          ok: false,
          path: pathOfChange(change),
          code: 'not_applied',
          message: `nothing was applied: ${refusal.path} was refused`,
        },
  );
}

/** Loads the state of paths as the command has left it so far. */
class Loader {
  readonly directories: DirectoryCounts;
  readonly #statements: WriteStatements;
  readonly #workspace: number;
  readonly #atMs: number;
  readonly #makesOperations: boolean;
  #aclFiles: Map<string, AclFile | null> | null = null;
  #hasAclFiles: boolean | null = null;

  constructor(
    deps: ChangeDeps,
    workspace: number,
    command: Pick<ChangeFilesInput, 'atMs' | 'makesOperations'>,
  ) {
    this.#statements = deps.statements;
    this.#workspace = workspace;
    this.#atMs = command.atMs;
    this.#makesOperations = command.makesOperations;
    this.directories = new DirectoryCounts(deps.statements, workspace, command.atMs);
  }

  load(change: FileChange): ChangeState {
    switch (change.kind) {
      case 'write_file':
        return {
          at: this.#pathState(change.path),
          to: null,
          earlier: this.#earlierOf(change),
          aclText: null,
        };
      case 'delete_file':
      case 'keep_version':
        return { at: this.#pathState(change.path), to: null, earlier: null, aclText: null };
      case 'move_file': {
        const at = this.#pathState(change.from);
        const to = this.#pathState(change.to);
        const aclText = isAclPath(change.to) ? this.#textOf(at.entry) : null;
        return { at, to, earlier: null, aclText };
      }
      case 'place_draft': {
        const at = this.#pathState(change.from);
        const to = this.#pathState(change.to);
        const aclText = isAclPath(change.to) ? this.#textOf(at.entry) : null;
        const waitingOperation = waitingOperationAt(this.#statements, this.#workspace, change.from);
        const materializedAt = this.#objectOf(change);
        return { at: { ...at, waitingOperation }, to, earlier: null, aclText, materializedAt };
      }
      case 'restore_file': {
        const aclText = isAclPath(change.path) ? ruleText(this.#statements, change.from.hash) : null;
        return { at: this.#pathState(change.path), to: null, earlier: null, aclText };
      }
      default:
        return change satisfies never;
    }
  }

  permissionsAt(path: string): readonly string[] {
    const entry = this.#entry(path);
    return permissionsOf(this.#aclFilesAbove(path), entry?.type === 'file' ? entry : null);
  }

  forgetAclFiles(): void {
    this.#aclFiles = null;
    this.#hasAclFiles = null;
    this.#statements.forget();
  }

  #pathState(path: string): PathState {
    const entry = this.#entry(path);
    return {
      entry,
      // What exists has only directories above it.
      fileAbove: entry === null ? this.#fileAbove(path) : null,
      aclFiles: this.#aclFilesAbove(path),
      ...(this.#makesOperations
        ? { waitingOperation: waitingOperationAt(this.#statements, this.#workspace, path) }
        : {}),
    };
  }

  /** Another file that already is the provider's object of this id. */
  #objectOf({ from, externalId }: Extract<FileChange, { kind: 'place_draft' }>): string | null {
    if (externalId === null) return null;
    const path = objectPath(this.#statements, this.#workspace, providerOf(from), externalId);
    return path === null || path === from || this.#entry(path)?.type !== 'file' ? null : path;
  }

  #entry(path: string): Entry | null {
    const row = this.#statements.get<EntryRow>(selectEntry, this.#workspace, path);
    if (row !== undefined && row.files === null) return entryOf(row);
    if (this.directories.knows(path)) return this.directories.get(path);
    return row === undefined ? null : entryOf(row);
  }

  #fileAbove(path: string): string | null {
    for (const ancestor of ancestorsOf(path).toReversed()) {
      if (this.directories.knows(ancestor) && this.directories.get(ancestor) !== null) return null;
      const entry = this.#entry(ancestor);
      if (entry !== null) return entry.type === 'file' ? ancestor : null;
    }
    return null;
  }

  #aclFilesAbove(path: string): readonly AclFile[] {
    this.#hasAclFiles ??= hasAclFiles(this.#statements, this.#workspace);
    if (!this.#hasAclFiles) return [];
    this.#aclFiles ??= new Map();
    const aclFiles: AclFile[] = [];
    for (const directory of ancestorsOf(path)) {
      let aclFile = this.#aclFiles.get(directory);
      if (aclFile === undefined) {
        aclFile = readAclFile(this.#statements, this.#workspace, directory);
        this.#aclFiles.set(directory, aclFile);
      }
      if (aclFile !== null) aclFiles.push(aclFile);
    }
    return aclFiles;
  }

  #earlierOf(change: Extract<FileChange, { kind: 'write_file' }>): EarlierWrite | null {
    const earlier = identifiedWrite(this.#statements, this.#workspace, change.contentIdentity, this.#atMs);
    return earlier === null ? null : { ...earlier, at: this.#pathState(earlier.result.path) };
  }

  #textOf(entry: Entry | null): string | null {
    return entry?.type === 'file' ? ruleText(this.#statements, entry.hash) : null;
  }
}
