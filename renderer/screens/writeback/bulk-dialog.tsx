// Many items at once: back into the queue, out at once, or never. Asked with their number; each that could not be is named.
import type { ReactElement } from 'react';
import type { OperationBulkResult } from '../../../sdk/index.ts';
import type { Operation } from '../../../server/contract/operations.ts';
import { useServices } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import { providerOf } from '../../model/outbound/outbound-view.ts';
import { BulkOperationsDialog } from '../../parts/dialogs/bulk-operations-dialog.tsx';

export type BulkAction = 'retry' | 'send' | 'stop';

/** Those of the items that it can be done with. */
export function applicableTo(kind: BulkAction, operations: readonly Operation[]): readonly Operation[] {
  return operations.filter(({ status }) => status === (kind === 'retry' ? 'dead_lettered' : 'pending'));
}

export function BulkDialog({
  workspaceId,
  kind,
  operations,
  onDone,
  onClose,
}: {
  readonly workspaceId: string;
  readonly kind: BulkAction;
  readonly operations: readonly Operation[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const { client, queries } = useServices();
  const names = [...new Set(operations.map(providerOf))].join(', ');
  const number = count(operations.length);
  const items = plural(operations.length, 'item');
  const kinds = {
    retry: {
      title: `Retry ${plural(operations.length, 'failed item')}?`,
      confirm: `Retry ${number}`,
      text: `Each sends its file as it is now, to ${names}, oldest first. What a provider refuses again comes back here.`,
      done: 'replayed',
      run: async (opIds: string[]): Promise<OperationBulkResult> =>
        await client.replayOperations(workspaceId, { filter: { opIds }, send: 'current' }),
    },
    send: {
      title: `Send ${items} now?`,
      confirm: `Send ${number}`,
      text: `Each is tried at once, whatever it waits for, to ${names}, oldest first.`,
      done: 'sent for now',
      run: async (opIds: string[]): Promise<OperationBulkResult> =>
        await client.sendWritebacksNow(workspaceId, { filter: { opIds } }),
    },
    stop: {
      title: `Do not send ${items}?`,
      confirm: `Do not send ${number}`,
      text: `${names} will not get these changes; the next change of each file goes out. The files stay as they are.`,
      done: 'held back',
      run: async (opIds: string[]): Promise<OperationBulkResult> =>
        await client.cancelWritebacks(workspaceId, { filter: { opIds } }),
    },
  } as const;
  return (
    <BulkOperationsDialog
      opIds={operations.map(({ opId }) => opId)}
      words={kinds[kind]}
      run={kinds[kind].run}
      onDone={() => {
        onDone();
        void queries.invalidateQueries({ queryKey: ['outbound', workspaceId] });
      }}
      onClose={onClose}
    />
  );
}
