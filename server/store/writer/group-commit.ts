// Commits many commands in one transaction with one fsync. Commands run in the order of their arrival, each seeing the results of
// the previous ones. The group first runs without savepoints; when one of its commands fails, the whole group is rolled back and
// runs again with a savepoint per command, so that only the failing one is rolled back. Handlers change only the transaction, the
// counters and the list of touched workspaces. Nothing is answered before COMMIT.

import type { Counters } from '../database/counters.ts';
import { ServerFault } from '../database/server-fault.ts';
import { isStorageFault, storeFaultOf } from '../database/sqlite.ts';
import type { WriteStatements } from '../database/statements.ts';
import type { Command, Handlers, Touched } from '../port/commands.ts';
import { ImpossibleRowError } from '../port/errors.ts';
import type { StoreFault } from '../port/store.ts';
import { RolledBack } from '../tables/change/change-files.ts';
import type { IngressCounts } from '../tables/inbound/ingress.ts';
import type { SharedChangeCounters } from './change-counters.ts';

export type Outcome =
  | { readonly ok: true; readonly result: unknown }
  /** The storage refused, and nothing of the whole batch was applied, or this one command met a corrupted row. */
  | {
      readonly ok: false;
      readonly unavailable: true;
      readonly message: string;
      readonly fault: StoreFault | null;
    }
  /** A program error in this one command, which was rolled back. */
  | { readonly ok: false; readonly unavailable: false; readonly message: string; readonly stack: string };

export interface GroupResult {
  /** In the order of the commands. */
  readonly outcomes: readonly Outcome[];
  /** null when no command made events. */
  readonly touched: Touched | null;
}

export interface CommitGroupDeps<Statements extends WriteStatements = WriteStatements> {
  readonly statements: Statements;
  readonly counters: Counters;
  readonly ingress: IngressCounts;
  readonly handlers: Handlers;
  /** Workspaces whose feed the open transaction has touched, each with its newest event then; handlers add to it. */
  readonly touched: [workspaceId: string, lastEventSeq: number][];
  readonly changes: SharedChangeCounters;
  /** At the begin of a transaction: others may have written to the database since the last one. */
  readonly refresh: (commands: readonly Command[]) => void;
}

export function commitGroup(deps: CommitGroupDeps, commands: readonly Command[]): GroupResult {
  // Savepoints make SQLite keep a copy of each page that a command touches (https://sqlite.org/tempfiles.html,
  // "Statement Journal Files"): a third of the time of a small write. Most groups need none of them.
  let run = runPlain;
  let isSecondConnection = false;
  for (;;) {
    try {
      return attempt(deps, commands, run);
    } catch (error) {
      if (error instanceof ServerFault && error.mayRunAgain && !isSecondConnection) isSecondConnection = true;
      else if (isStorageFault(error)) return unavailable(commands, error);
      else if (run === runPlain) run = runIsolated;
      else throw error;
    }
  }
}

/** One transaction. When `run` throws for any command, nothing of it has happened. */
function attempt(
  deps: CommitGroupDeps,
  commands: readonly Command[],
  run: (deps: CommitGroupDeps, command: Command) => Outcome,
): GroupResult {
  const { statements, counters, ingress, touched, changes } = deps;
  touched.length = 0;
  try {
    statements.begin(commands);
    deps.refresh(commands);
    const outcomes = commands.map((command) => run(deps, command));
    counters.persist();
    ingress.persist();
    // Positions rise, so the last one of a workspace is its newest.
    const workspaces = new Map(touched);
    changes.during(commands, workspaces.keys(), () => statements.commit());
    counters.committed();
    return { outcomes, touched: workspaces.size === 0 ? null : { workspaces } };
  } catch (error) {
    statements.rollback();
    counters.rolledBack();
    ingress.discard();
    throw error;
  }
}

function unavailable(commands: readonly Command[], error: unknown): GroupResult {
  const message = error instanceof Error ? error.message : String(error);
  const fault = storeFaultOf(error);
  return { outcomes: commands.map(() => ({ ok: false, unavailable: true, message, fault })), touched: null };
}

/** Throws what the handler throws; the whole group is then run again, isolated. */
function runPlain(deps: CommitGroupDeps, command: Command): Outcome {
  return { ok: true, result: runHandler(deps, command) };
}

/** A command that throws is rolled back alone. */
function runIsolated(deps: CommitGroupDeps, command: Command): Outcome {
  const { statements, counters, ingress, touched } = deps;
  const before = counters.last;
  const touchedBefore = touched.length;
  ingress.persist();
  statements.savepoint();
  try {
    const result = runHandler(deps, command);
    statements.releaseSavepoint();
    return { ok: true, result };
  } catch (error) {
    // A storage fault affects the whole group, which handles it.
    if (isStorageFault(error)) throw error;
    statements.rollbackToSavepoint();
    counters.restore(before);
    ingress.discard();
    touched.length = touchedBefore;
    if (error instanceof RolledBack) return { ok: true, result: error.result };
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    if (error instanceof ImpossibleRowError)
      return { ok: false, unavailable: true, message, fault: 'corrupted' };
    return { ok: false, unavailable: false, message, stack: stack ?? message };
  }
}

function runHandler({ handlers, statements }: CommitGroupDeps, command: Command): unknown {
  const handler = handlers[command.name] as ((input: unknown) => unknown) | undefined;
  if (handler === undefined) throw new Error(`no handler for ${command.name}`);
  // Changes of files forget the memoized rows that they change; accepting envelopes changes none of them.
  if (command.name === 'change_files' || command.name === 'accept_envelope') return handler(command.input);
  try {
    statements.forget();
    return handler(command.input);
  } finally {
    statements.forget();
  }
}
