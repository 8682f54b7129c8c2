// Confirms the replay of several dead-lettered operations.
import type { ReactElement } from 'react';
import { useServices } from '../../api/services.ts';
import { plural } from '../../model/format.ts';
import { BulkOperationsDialog } from '../../parts/dialogs/bulk-operations-dialog.tsx';

export function ReplayDialog({
  workspaceId,
  opIds,
  onDone,
  onClose,
}: {
  readonly workspaceId: string;
  readonly opIds: readonly string[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  return (
    <BulkOperationsDialog
      opIds={opIds}
      texts={{
        title: `Replay ${plural(opIds.length, 'dead-lettered operation')}?`,
        confirm: `Replay ${opIds.length}`,
        text: 'The current files are sent, oldest operation first. Operations that fail again return with a new cause.',
        done: 'replayed',
      }}
      run={async (selected) =>
        await client.operations.replayMany(workspaceId, { filter: { opIds: selected }, send: 'current' })
      }
      onDone={onDone}
      onClose={onClose}
    />
  );
}
