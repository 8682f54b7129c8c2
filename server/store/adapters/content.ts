// The port's ContentWriter: every command that writes workspace content, with the time of the store and the staged blobs it names.
import type { FileChange } from '../../core/change/change.ts';
import type { ForkChange } from '../../core/change/forks.ts';
import type { InboundChange } from '../../core/inbound/decide-envelope.ts';
import { orUnavailable } from '../database/storage-faults.ts';
import type { ContentWriter, Prepared } from '../port/store.ts';
import type { StoreDeps } from '../writer/store-parts.ts';
import { senders } from './port-methods.ts';

export function contentWriter(deps: StoreDeps): ContentWriter {
  const { send, options, blobs } = deps;
  const atMs = () => options.clock.nowMs();
  return {
    stage: (bytes) => orUnavailable(blobs.stage(bytes)),
    stageStream: (source, bytesMax) => orUnavailable(blobs.stageStream(source, bytesMax)),
    unstage: ({ hash }) => blobs.unstage(hash),
    async change(command) {
      try {
        return await send('change_files', { ...command, atMs: atMs() });
      } finally {
        unstageAll(command.changes);
      }
    },
    restore: (command) => send('restore_files', { ...command, atMs: atMs() }),
    async applyEnvelopes(input) {
      try {
        return await send('apply_envelopes', input);
      } finally {
        unstageAll(input.inputs.flatMap(({ prepared }) => changeOf(prepared)));
      }
    },
    async previewEnvelope(input) {
      try {
        return await send('preview_envelope', input);
      } finally {
        unstageAll(changeOf(input.prepared));
      }
    },
    createFork: (input) => send('create_fork', { ...input, atMs: atMs() }),
    async changeFork(input) {
      try {
        return await send('change_fork', { ...input, atMs: atMs() });
      } finally {
        unstageAll(input.changes);
      }
    },
    commitFork: (input) => send('commit_fork', { ...input, atMs: atMs() }),
    rebaseFork: (input) => send('rebase_fork', { ...input, atMs: atMs() }),
    discardFork: (input) => send('discard_fork', { ...input, atMs: atMs() }),
    ...senders(deps, { acknowledgeOperation: 'acknowledge_operation', finishAttempt: 'finish_writeback' }),
  };

  /** The command has committed or failed: what it named is either referenced by now or not used. */
  function unstageAll(changes: readonly (FileChange | ForkChange | InboundChange)[]): void {
    for (const change of changes) {
      if ('content' in change && 'staged' in change.content) blobs.unstage(change.content.hash);
    }
  }
}

function changeOf(prepared: Prepared): readonly InboundChange[] {
  return prepared.ok ? [prepared.delivery] : [];
}
