// The writer's thread: the one connection that writes. Receives commands, commits all that wait as one group, answers after COMMIT.
// Disk syncs run here, so that they never delay a request on the main thread.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { FileChange } from '../../core/change/change.ts';
import { systemClock } from '../../platform/clock.ts';
import { releaseIdleMemory, threadMemory } from '../../platform/process/idle-memory.ts';
import { blobFile } from '../contents/blob-files.ts';
import { MmapRelease } from '../database/mmap-release.ts';
import { databaseFileName, isStorageFault, openForWriting } from '../database/sqlite.ts';
import type { SqliteWriteStatements } from '../database/sqlite-statements.ts';
import type { Command } from '../port/commands.ts';
import { SharedChangeCounters } from './change-counters.ts';
import { createCommandHandlers } from './command-handlers.ts';
import { type CommitGroupDeps, commitGroup } from './group-commit.ts';
import type { WriterSettings } from './writer.ts';
import {
  type FromWriter,
  packOutcome,
  type ToWriter,
  unpackCommand,
  withChanges,
} from './writer-messages.ts';

/** A group ends here, so that the first in it does not wait for the last of a long queue. */
const groupCommandsMax = 1_000;
const groupChangesMax = 5_000;
/**
 * After this pause a log of at least so many changes (some 4 MiB) is folded back into the database: reads are then mapped from the
 * file, and the fold does not interrupt the next burst of writes. Occasional writes pay no second sync for it.
 */
const foldPauseMs = 250;
const foldChangesMin = 500;

function createDeps(settings: WriterSettings): CommitGroupDeps<SqliteWriteStatements> {
  const { dataDir, databasePagesMax } = settings;
  const statements = openForWriting(
    path.join(dataDir, databaseFileName),
    databasePagesMax === undefined ? {} : { pagesMax: databasePagesMax },
  );
  return createCommandHandlers(
    statements,
    settings.externalWriteback,
    (hash) => existsSync(blobFile(dataDir, hash)),
    new SharedChangeCounters(settings.changes),
  );
}

function serve(): void {
  const port = parentPort;
  if (port === null) throw new Error('the writer runs only as a worker thread');
  const settings = workerData as WriterSettings;
  const deps = createDeps(settings);
  const mapped = new MmapRelease(deps.statements);
  const send = (message: FromWriter) => port.postMessage(message);
  const queue: Command[] = [];
  /** Of the next long command. */
  const changes: FileChange[] = [];
  let scheduled = false;
  let changesInLog = 0;
  const ended = new AbortController();

  const commitNext = () => {
    scheduled = false;
    const group = queue.splice(0, groupLength(queue));
    const startedAt = performance.now();
    const { outcomes, touched } = commitGroup(deps, group);
    const tookMs = performance.now() - startedAt;
    for (const command of group) changesInLog += changesIn(command);
    fold.refresh();
    mapped.touched();
    send({
      kind: 'committed',
      outcomes: outcomes.map((outcome, index) => packOutcome(group[index] as Command, outcome)),
      touched,
      tookMs,
      names: tookMs < settings.slowMs ? [] : names(group),
    });
    schedule();
  };
  const fold = setTimeout(() => {
    if (changesInLog < foldChangesMin || queue.length > 0) return;
    changesInLog = 0;
    foldLog(deps.statements);
  }, foldPauseMs);
  const schedule = () => {
    if (scheduled || queue.length === 0) return;
    scheduled = true;
    // After the messages that wait already: they join this group.
    setImmediate(commitNext);
  };

  port.on('message', (message: ToWriter) => {
    if (message.kind === 'close') {
      // All earlier commands were answered: the main thread closes only then.
      clearTimeout(fold);
      deps.statements.close();
      ended.abort();
      port.close();
      return;
    }
    if (message.kind === 'changes') {
      for (const change of message.changes) changes.push(change);
      return;
    }
    for (const command of message.commands)
      queue.push(withChanges(unpackCommand(command), changes.splice(0)));
    schedule();
  });
  const memory = threadMemory();
  if (memory !== null) void releaseIdleMemory(memory, systemClock, ended.signal);
  send({ kind: 'ready' });
}

function foldLog(statements: SqliteWriteStatements): void {
  try {
    // https://sqlite.org/pragma.html#pragma_wal_checkpoint: as much as can be done without waiting for readers.
    statements.pragma('wal_checkpoint(PASSIVE)');
  } catch (error) {
    // Everything is durable in the log; the next write reports the disk's error.
    if (!isStorageFault(error)) throw error;
  }
}

function groupLength(queue: readonly Command[]): number {
  let changes = 0;
  let length = 0;
  for (const command of queue) {
    changes += changesIn(command);
    if (length > 0 && (length >= groupCommandsMax || changes > groupChangesMax)) break;
    length += 1;
  }
  return length;
}

function changesIn(command: Command): number {
  // A restore may be as long as a whole group: no other answer waits for it.
  if (command.name === 'restore_files') return groupChangesMax;
  if (command.name === 'change_files') return command.input.changes.length;
  return command.name === 'apply_envelopes' ? command.input.inputs.length : 1;
}

function names(group: readonly Command[]): readonly string[] {
  return [...new Set(group.map((command) => command.name))];
}

serve();
