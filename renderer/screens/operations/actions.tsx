// Actions of one operation: replay, sandbox, cancel.
import { type ReactElement, type RefObject, useState } from 'react';
import type { Operation, ReplayOf } from '../../../sdk/index.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { replayRefusal } from '../../model/outbound/operation-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import type { RowAction } from '../../parts/buttons/row-menu.tsx';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import type { OperationWithSteps } from './queries.ts';

export interface OperationDetailProps {
  readonly workspaceId: string;
  readonly opId: string;
  readonly replayHandle: RefObject<(() => void) | null>;
  /** The menu of its row. */
  readonly actions: (operation: Operation) => readonly RowAction[];
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export type LoadedOperationProps = OperationDetailProps & { readonly loaded: OperationWithSteps };

export type Asking = 'cancel' | 'sandbox';

/** Replays the operation. */
export function useReplay(
  { workspaceId, opId, onChanged, loaded: { operation } }: LoadedOperationProps,
  send: ReplayOf,
) {
  const { client } = useServices();
  const disabledReason = useDisabledReason();
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const replayDisabled = disabledReason ?? replayRefusal(operation) ?? (running ? 'Replaying…' : null);
  const replay = async (): Promise<void> => {
    if (replayDisabled !== null) {
      announce(replayDisabled);
      return;
    }
    setRunning(true);
    setFailure(null);
    try {
      await client.operations.replay(workspaceId, opId, { send });
      announce(`Replayed ${operation.path ?? opId}.`);
      onChanged();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setRunning(false);
    }
  };
  return { replay, replayDisabled, failure };
}

export function OperationFoot({
  operation: { status },
  replayDisabled,
  onReplay,
  onAsk,
}: {
  readonly operation: OperationWithSteps['operation'];
  /** null: enabled. */
  readonly replayDisabled: string | null;
  readonly onReplay: () => void;
  readonly onAsk: (asking: Asking) => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const cancelDisabled = status === 'pending' ? null : 'Only pending operations can be canceled.';
  return (
    <div className="detail-foot">
      <Button
        kind={status === 'dead_lettered' ? 'primary' : 'plain'}
        icon="moving"
        shortcut="R"
        disabledReason={replayDisabled}
        onClick={onReplay}
      >
        Replay
      </Button>
      <Button shortcut="T" disabledReason={disabledReason} onClick={() => onAsk('sandbox')}>
        Try in sandbox
      </Button>
      <Button kind="ghost" disabledReason={disabledReason ?? cancelDisabled} onClick={() => onAsk('cancel')}>
        Cancel operation
      </Button>
    </div>
  );
}

export function CancelDialog({
  workspaceId,
  opId,
  loaded: { operation },
  onChanged,
  onClose,
}: LoadedOperationProps): ReactElement {
  const { client } = useServices();
  return (
    <ConfirmDialog
      title="Cancel this operation?"
      confirm="Cancel operation"
      onConfirm={async () => {
        await client.writeback.cancel(workspaceId, opId);
        announce(`Canceled the operation of ${operation.path ?? opId}.`);
        onChanged();
      }}
      onClose={onClose}
    >
      <p className="soft">
        This change of <span className="mono">{operation.path}</span> will not be sent to{' '}
        {operation.provider ?? 'its provider'}. The file in the workspace is unchanged.
      </p>
    </ConfirmDialog>
  );
}
