// Every dead-lettered item of the list back into the queue.
import type { ReactElement } from 'react';
import type { Operation } from '../../../server/contract/operations.ts';
import { useServices } from '../../api/services.ts';
import { count, counted } from '../../model/format.ts';
import { providerOf } from '../../model/outbound-view.ts';
import { BulkReplayDialog } from '../operations/bulk-replay-dialog.tsx';

export function RetryFailedDialog({
  workspaceId,
  operations,
  onClose,
}: {
  readonly workspaceId: string;
  readonly operations: readonly Operation[];
  readonly onClose: () => void;
}): ReactElement {
  const { queries } = useServices();
  const names = [...new Set(operations.map(providerOf))].join(', ');
  return (
    <BulkReplayDialog
      workspaceId={workspaceId}
      opIds={operations.map(({ opId }) => opId)}
      words={{
        title: `Retry ${counted(operations.length, 'failed item')}?`,
        confirm: `Retry ${count(operations.length)}`,
        text: `Each sends its file as it is now, to ${names}, oldest first. What a provider refuses again comes back here.`,
      }}
      onDone={() => void queries.invalidateQueries({ queryKey: ['outbound', workspaceId] })}
      onClose={onClose}
    />
  );
}
