// What a writer's thread does on any engine: it receives commands, commits all that wait as one group, and answers after COMMIT.
import type { MessagePort } from 'node:worker_threads';
import type { FileChange } from '../../core/change/change.ts';
import { systemClock } from '../../platform/clock.ts';
import { releaseIdleMemory, threadMemory } from '../../platform/process/idle-memory.ts';
import type { WriteStatements } from '../database/statements.ts';
import type { Command } from '../port/commands.ts';
import { type CommitGroupDeps, commitGroup } from './group-commit.ts';
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

export interface ServedBy {
  /** A group that takes longer than this is named in the log. */
  readonly slowMs: number;
  /** After each group, before its answer. `isIdle`: no other command waits. */
  readonly committed: (changes: number, isIdle: () => boolean) => void;
  readonly close: () => void;
}

export function serveCommands(
  port: MessagePort,
  deps: CommitGroupDeps<WriteStatements>,
  { slowMs, committed, close }: ServedBy,
): void {
  const send = (message: FromWriter) => port.postMessage(message);
  const queue: Command[] = [];
  /** Of the next long command. */
  const changes: FileChange[] = [];
  let scheduled = false;
  const ended = new AbortController();

  const commitNext = () => {
    scheduled = false;
    const group = queue.splice(0, groupLength(queue));
    const startedAt = performance.now();
    const { outcomes, touched } = commitGroup(deps, group);
    const tookMs = performance.now() - startedAt;
    committed(
      group.reduce((sum, command) => sum + changesIn(command), 0),
      () => queue.length === 0,
    );
    send({
      kind: 'committed',
      outcomes: outcomes.map((outcome, index) => packOutcome(group[index] as Command, outcome)),
      touched,
      tookMs,
      names: tookMs < slowMs ? [] : names(group),
    });
    schedule();
  };
  const schedule = () => {
    if (scheduled || queue.length === 0) return;
    scheduled = true;
    // After the messages that wait already: they join this group.
    setImmediate(commitNext);
  };

  port.on('message', (message: ToWriter) => {
    if (message.kind === 'close') {
      // All earlier commands were answered: the main thread closes only then.
      close();
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
