// Many dead-lettered operations back into the queue, oldest first: asked with their number, and told of each that could not be.
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { OperationBulkResult } from '../../../sdk/index.ts';
import { describeError, useBlocked, useServices } from '../../api/services.ts';
import { count, counted } from '../../model/format.ts';
import { announce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';

/** What the agent takes in one request. */
const replayedAtOnceMax = 1_000;

export interface BulkReplayWords {
  readonly title: string;
  readonly confirm: string;
  readonly text: string;
}

export function BulkReplayDialog({
  workspaceId,
  opIds,
  words,
  onDone,
  onClose,
}: {
  readonly workspaceId: string;
  /** What is asked about is what is done, also when the list changes meanwhile. At most `replayedAtOnceMax` of it at once. */
  readonly opIds: readonly string[];
  readonly words: BulkReplayWords;
  readonly onDone: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const blocked = useBlocked();
  const mutation = useMutation({
    mutationFn: async () =>
      await client.replayOperations(workspaceId, { filter: { opIds: oldest(opIds) }, send: 'current' }),
    onSuccess: ({ done, results }) => {
      announce(`${counted(done, 'operation')} replayed.`);
      if (done === results.length) onClose();
    },
    onSettled: onDone,
  });
  const cannot = blocked ?? (mutation.isPending ? 'They are being queued.' : null);
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div className="dialog-body">
        {mutation.isSuccess ? (
          <Refused result={mutation.data} />
        ) : (
          <>
            <p className="soft">{words.text}</p>
            {opIds.length > replayedAtOnceMax ? (
              <p className="soft">The oldest {count(replayedAtOnceMax)} go now; ask again for the others.</p>
            ) : null}
          </>
        )}
        {mutation.isError ? (
          <p className="hint bad" role="alert">
            {describeError(mutation.error)}
          </p>
        ) : null}
      </div>
      <div className="dialog-actions">
        {mutation.isSuccess ? (
          <Button kind="primary" onClick={onClose}>
            Close
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" icon="replay" blocked={cannot} onClick={() => mutation.mutate()}>
              {words.confirm}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}

/** Those that could not be replayed, each with its reason. */
function Refused({ result }: { readonly result: OperationBulkResult }): ReactElement {
  const refused = result.results.filter((one) => !one.done);
  return (
    <>
      <p>
        {counted(result.done, 'operation')} replayed, {count(refused.length)} not:
      </p>
      <ul className="cause-list">
        {refused.map(({ opId, message }) => (
          <li key={opId}>
            <span className="mono">{opId}</span>
            <span>{message ?? ''}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function oldest(opIds: readonly string[]): string[] {
  return opIds.toSorted((a, b) => numberOf(a) - numberOf(b)).slice(0, replayedAtOnceMax);
}

function numberOf(opId: string): number {
  return Number(opId.replace(/^op_/, '')) || 0;
}
