// Confirms a bulk action on operations: replay, retry now, or cancel.
import type { ReactElement } from 'react';
import type { OperationBulkResult } from '../../../sdk/index.ts';
import type { Operation } from '../../../server/contract/operations.ts';
import { useServices } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import { providerOf } from '../../model/outbound/outbound-view.ts';
import { BulkOperationsDialog } from '../../parts/dialogs/bulk-operations-dialog.tsx';

export type BulkAction = 'replay' | 'retryNow' | 'cancel';

/** The operations to which the action applies. */
export function applicableTo(action: BulkAction, operations: readonly Operation[]): readonly Operation[] {
  return operations.filter(({ status }) => status === (action === 'replay' ? 'dead_lettered' : 'pending'));
}

export function BulkDialog({
  workspaceId,
  action,
  operations,
  onDone,
  onClose,
}: {
  readonly workspaceId: string;
  readonly action: BulkAction;
  readonly operations: readonly Operation[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const { client, queries } = useServices();
  const names = [...new Set(operations.map(providerOf))].join(', ');
  const items = plural(operations.length, 'operation');
  const actions = {
    replay: {
      title: `Retry ${plural(operations.length, 'failed operation')}?`,
      confirm: `Retry ${items}`,
      text: `The current files are sent to ${names}, oldest operation first. Operations that fail again return here.`,
      done: 'replayed',
      run: async (opIds: string[]): Promise<OperationBulkResult> =>
        await client.operations.replayMany(workspaceId, { filter: { opIds }, send: 'current' }),
    },
    retryNow: {
      title: `Retry ${items} now?`,
      confirm: `Retry ${count(operations.length)} now`,
      text: `The operations are sent to ${names} without waiting, oldest first.`,
      done: 'queued',
      run: async (opIds: string[]): Promise<OperationBulkResult> =>
        await client.writeback.retryManyNow(workspaceId, { filter: { opIds } }),
    },
    cancel: {
      title: `Cancel ${items}?`,
      confirm: `Cancel ${items}`,
      text: `These changes will not be sent to ${names}. Files are unchanged; later changes are sent.`,
      done: 'canceled',
      run: async (opIds: string[]): Promise<OperationBulkResult> =>
        await client.writeback.cancelMany(workspaceId, { filter: { opIds } }),
    },
  } as const;
  return (
    <BulkOperationsDialog
      opIds={operations.map(({ opId }) => opId)}
      texts={actions[action]}
      run={actions[action].run}
      onDone={() => {
        onDone();
        void queries.invalidateQueries({ queryKey: ['outbound', workspaceId] });
      }}
      onClose={onClose}
    />
  );
}
