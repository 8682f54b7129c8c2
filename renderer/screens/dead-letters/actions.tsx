// The ways out of a dead letter, fixed below its detail.
import type { ReactElement } from 'react';
import { useDisabledReason } from '../../api/services.ts';
import { Button } from '../../parts/buttons/button.tsx';
import type { Fields, SameEdit } from './edit-check.ts';

export function DeadLetterActions({
  edited,
  fieldOpen,
  whyNoEdit,
  whyNoReplay,
  sameEdit,
  selected,
  onEdit,
  onReplay,
  onSameEdit,
  onAcknowledge,
}: {
  /** Something was typed: the replay carries it. */
  readonly edited: boolean;
  readonly fieldOpen: boolean;
  readonly whyNoEdit: string | null;
  readonly whyNoReplay: string | null;
  readonly sameEdit: SameEdit | null;
  /** Letters that are selected in the list. */
  readonly selected: number;
  readonly onEdit: () => void;
  readonly onReplay: () => void;
  readonly onSameEdit: (patch: Fields) => void;
  readonly onAcknowledge: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  return (
    <div className="detail-foot">
      {edited ? (
        <>
          <Button
            kind="primary"
            icon="moving"
            shortcut={fieldOpen ? 'Ctrl ↵' : 'R'}
            disabledReason={whyNoReplay}
            onClick={onReplay}
          >
            Replay with edits
          </Button>
          {sameEdit === null ? null : (
            <Button
              disabledReason={whyNoReplay ?? sameEdit.disabledReason}
              onClick={() => sameEdit.patch !== null && onSameEdit(sameEdit.patch)}
            >
              {`Same edit for all ${selected}`}
            </Button>
          )}
        </>
      ) : (
        <>
          <Button kind="primary" icon="edit" shortcut="E" disabledReason={whyNoEdit} onClick={onEdit}>
            Edit and replay
          </Button>
          <Button shortcut="R" disabledReason={whyNoReplay} onClick={onReplay}>
            Replay as it is
          </Button>
        </>
      )}
      <Button kind="ghost" shortcut="A" disabledReason={disabledReason} onClick={onAcknowledge}>
        Acknowledge
      </Button>
    </div>
  );
}
