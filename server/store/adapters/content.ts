// The port's ContentWriter: every command that writes workspace content, with the time of the store and the staged blobs it names. A
// fault of the disk (full, read-only, broken, folder missing) is a StoreUnavailableError, as faults of the database are.
import type { FileChange } from '../../core/change/change.ts';
import type { ForkChange } from '../../core/change/forks.ts';
import type { InboundChange } from '../../core/inbound/decide-envelope.ts';
import { storeFaultOf } from '../database/sqlite.ts';
import { PathTooLongError, StoreUnavailableError } from '../port/errors.ts';
import type { ContentWriter, Prepared } from '../port/store.ts';
import { senders } from './port-methods.ts';
import type { StoreDeps } from './store-parts.ts';

export function contentWriter(deps: StoreDeps): ContentWriter {
  const { send, options, blobs } = deps;
  const atMs = () => options.clock.nowMs();
  return {
    stage: (bytes) => orUnavailable(blobs.stage(bytes)),
    stageStream: (source, bytesMax) => orUnavailable(blobs.stageStream(source, bytesMax)),
    unstage: ({ hash }) => blobs.unstage(hash),
    async change(command) {
      assertShort(command.changes);
      return await settled(send('change_files', { ...command, atMs: atMs() }), command.changes);
    },
    restore: (command) => send('restore_files', { ...command, atMs: atMs() }),
    applyEnvelopes: (input) =>
      settled(
        send('apply_envelopes', input),
        input.inputs.flatMap(({ prepared }) => changeOf(prepared)),
      ),
    previewEnvelope: (input) => settled(send('preview_envelope', input), changeOf(input.prepared)),
    createFork: (input) => send('create_fork', { ...input, atMs: atMs() }),
    async changeFork(input) {
      assertShort(input.changes);
      return await settled(send('change_fork', { ...input, atMs: atMs() }), input.changes);
    },
    commitFork: (input) => send('commit_fork', { ...input, atMs: atMs() }),
    rebaseFork: (input) => send('rebase_fork', { ...input, atMs: atMs() }),
    discardFork: (input) => send('discard_fork', { ...input, atMs: atMs() }),
    ...senders(deps, { acknowledgeOperation: 'acknowledge_operation', finishAttempt: 'finish_writeback' }),
  };

  function assertShort(changes: readonly object[]): void {
    const { pathBytesMax } = deps;
    if (pathBytesMax === undefined) return;
    const isLong = (text: unknown) => typeof text === 'string' && Buffer.byteLength(text) > pathBytesMax;
    const names = (change: object) => ['path', 'to'].map((name) => (change as Record<string, unknown>)[name]);
    if (changes.some((change) => names(change).some(isLong))) throw new PathTooLongError(pathBytesMax);
  }

  /** The command has committed or failed: what it named is either referenced by now or not used. */
  async function settled<T>(
    command: Promise<T>,
    changes: readonly (FileChange | ForkChange | InboundChange)[],
  ): Promise<T> {
    try {
      return await command;
    } finally {
      for (const change of changes) {
        if ('content' in change && 'staged' in change.content) blobs.unstage(change.content.hash);
      }
    }
  }
}

function changeOf(prepared: Prepared): readonly InboundChange[] {
  return prepared.ok ? [prepared.delivery] : [];
}

/** Codes that the source of a stream can cause itself (a connection, for example) are excluded. */
const diskFaults: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EROFS',
  'EIO',
  'EACCES',
  'EPERM',
  'ENOENT',
  'ENOTDIR',
  'EMFILE',
  'ENFILE',
]);

/** `code` is the system's error code, such as `ENOSPC`, from which callers derive advice. */
class DiskFaultError extends StoreUnavailableError {
  readonly code: unknown;

  constructor(fault: Error, code: unknown) {
    super(`a content could not be stored: ${fault.message}`, { cause: fault, fault: storeFaultOf(fault) });
    this.code = code;
  }
}

/** Of a write of a content's file. StoreUnavailableError: the disk refused it; nothing was stored. */
async function orUnavailable<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && diskFaults.has(error.code))) throw error;
    throw new DiskFaultError(error, error.code);
  }
}
