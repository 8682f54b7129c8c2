// Asked before several dead-lettered operations are replayed together.
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
      words={{
        title: `Replay ${plural(opIds.length, 'dead-lettered operation')}?`,
        confirm: `Replay ${opIds.length}`,
        text: 'Each sends what its file is now, in the order of the queue. One that fails again comes back with its new cause.',
        done: 'replayed',
      }}
      run={async (chosen) =>
        await client.replayOperations(workspaceId, { filter: { opIds: chosen }, send: 'current' })
      }
      onDone={onDone}
      onClose={onClose}
    />
  );
}
