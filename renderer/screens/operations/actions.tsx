// What can be done with one operation: sent again, tried in a sandbox, canceled while it still waits.
import { type ReactElement, type RefObject, useState } from 'react';
import type { ReplayOf } from '../../../sdk/index.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { replayRefusal } from '../../model/outbound/operation-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { announce } from '../../parts/feedback/announcer.tsx';
import type { OperationStory } from './queries.ts';

export interface OperationDetailProps {
  readonly workspaceId: string;
  readonly opId: string;
  readonly replayHandle: RefObject<(() => void) | null>;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export type KnownOperationProps = OperationDetailProps & { readonly story: OperationStory };

export type Asking = 'cancel' | 'sandbox';

/** Sends it again. `whyNot`: why that cannot be done now; null: it can. */
export function useReplay(
  { workspaceId, opId, onChanged, story: { operation } }: KnownOperationProps,
  send: ReplayOf,
): {
  readonly replay: () => Promise<void>;
  readonly whyNot: string | null;
  readonly failure: string | null;
} {
  const { client } = useServices();
  const disabledReason = useDisabledReason();
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const whyNot = disabledReason ?? replayRefusal(operation) ?? (running ? 'It is being replayed.' : null);
  const replay = async (): Promise<void> => {
    if (whyNot !== null) {
      announce(whyNot);
      return;
    }
    setRunning(true);
    setFailure(null);
    try {
      await client.replayOperation(workspaceId, opId, { send });
      announce(`${opId} is sent again.`);
      onChanged();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setRunning(false);
    }
  };
  return { replay, whyNot, failure };
}

export function OperationFoot({
  operation: { status },
  whyNoReplay: whyNot,
  onReplay,
  onAsk,
}: {
  readonly operation: OperationStory['operation'];
  /** null: it can be replayed. */
  readonly whyNoReplay: string | null;
  readonly onReplay: () => void;
  readonly onAsk: (asking: Asking) => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const whyNoCancel = status === 'pending' ? null : 'Only what still waits to be sent can be canceled.';
  return (
    <div className="detail-foot">
      <Button
        kind={status === 'dead_lettered' ? 'primary' : 'plain'}
        icon="moving"
        shortcut="R"
        disabledReason={whyNot}
        onClick={onReplay}
      >
        Replay
      </Button>
      <Button shortcut="T" disabledReason={disabledReason} onClick={() => onAsk('sandbox')}>
        Try in a sandbox
      </Button>
      <Button kind="ghost" disabledReason={disabledReason ?? whyNoCancel} onClick={() => onAsk('cancel')}>
        Cancel operation
      </Button>
    </div>
  );
}

export function CancelDialog({
  workspaceId,
  opId,
  story: { operation },
  onChanged,
  onClose,
}: KnownOperationProps): ReactElement {
  const { client } = useServices();
  return (
    <ConfirmDialog
      title={`Cancel ${opId}?`}
      confirm="Cancel operation"
      onConfirm={async () => {
        await client.cancelWriteback(workspaceId, opId);
        announce(`${opId} is canceled.`);
        onChanged();
      }}
      onClose={onClose}
    >
      <p className="soft">
        This change of <span className="mono">{operation.path}</span> is not sent to{' '}
        {operation.provider ?? 'its provider'}. The file in the workspace stays as it is.
      </p>
    </ConfirmDialog>
  );
}
