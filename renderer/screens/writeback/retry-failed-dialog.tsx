// Every dead-lettered item of the workspace back into the queue; asked with the count, told how far it is.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { InvalidStateError } from '../../../sdk/index.ts';
import type { Operation } from '../../../server/contract/operations.ts';
import { describeError, useBlocked, useServices } from '../../api/services.ts';
import { count, counted } from '../../model/format.ts';
import { providerOf } from '../../model/outbound-view.ts';
import { announce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';

export function RetryFailedDialog({
  workspaceId,
  operations,
  onClose,
}: {
  readonly workspaceId: string;
  readonly operations: readonly Operation[];
  readonly onClose: () => void;
}): ReactElement {
  const { client, queries } = useServices();
  const blocked = useBlocked();
  const [done, setDone] = useState(0);
  const names = [...new Set(operations.map(providerOf))].join(', ');
  const mutation = useMutation({
    mutationFn: async () => {
      setDone(0);
      for (const [index, { opId }] of operations.entries()) {
        try {
          await client.replayOperation(workspaceId, opId);
        } catch (error) {
          // Somebody else has retried it meanwhile: it is where it should be.
          if (!(error instanceof InvalidStateError)) throw error;
        }
        setDone(index + 1);
      }
    },
    onSuccess: () => {
      announce(`${counted(operations.length, 'item')} wait to be sent again.`);
      onClose();
    },
    onSettled: async () => await queries.invalidateQueries({ queryKey: ['outbound', workspaceId] }),
  });
  return (
    <Dialog title={`Retry ${counted(operations.length, 'failed item')}?`} onClose={onClose}>
      <div className="dialog-body">
        <p className="soft">
          Each sends its file as it is now, to {names}. What a provider refuses again comes back here.
        </p>
        {mutation.isPending ? (
          <p className="soft">
            {count(done)} of {count(operations.length)} are queued.
          </p>
        ) : null}
        {mutation.isError ? (
          <p className="hint bad" role="alert">
            {describeError(mutation.error)} {count(done)} of {count(operations.length)} are queued.
          </p>
        ) : null}
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          icon="replay"
          blocked={blocked ?? (mutation.isPending ? 'They are being queued.' : null)}
          onClick={() => mutation.mutate()}
        >
          Retry {count(operations.length)}
        </Button>
      </div>
    </Dialog>
  );
}
