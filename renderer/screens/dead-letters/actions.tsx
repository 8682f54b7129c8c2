// The actions of a dead letter: edit, replay, dismiss.
import type { ReactElement } from 'react';
import { useDisabledReason } from '../../api/services.ts';
import { Button } from '../../parts/buttons/button.tsx';
import type { Fields, SameEdit } from './edit-check.ts';
import type { Replay } from './use-replay.ts';

export function DeadLetterActions({
  replay: { editedText, isEditing, disabledReason: replayDisabledReason, edit, replay },
  editDisabledReason,
  sameEdit,
  selected,
  onSameEdit,
  onAcknowledge,
}: {
  readonly replay: Replay;
  readonly editDisabledReason: string | null;
  readonly sameEdit: SameEdit | null;
  /** Number of dead letters selected in the list. */
  readonly selected: number;
  readonly onSameEdit: (patch: Fields) => void;
  readonly onAcknowledge: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  return (
    <div className="detail-foot">
      {editedText !== null ? (
        <>
          <Button
            kind="primary"
            icon="moving"
            shortcut={isEditing ? 'Ctrl ↵' : 'R'}
            disabledReason={replayDisabledReason}
            onClick={replay}
          >
            Replay with edits
          </Button>
          {sameEdit === null ? null : (
            <Button
              disabledReason={replayDisabledReason ?? sameEdit.disabledReason}
              onClick={() => sameEdit.patch !== null && onSameEdit(sameEdit.patch)}
            >
              {`Edit all ${selected}…`}
            </Button>
          )}
        </>
      ) : (
        <>
          <Button kind="primary" icon="edit" shortcut="E" disabledReason={editDisabledReason} onClick={edit}>
            Edit and replay
          </Button>
          <Button shortcut="R" disabledReason={replayDisabledReason} onClick={replay}>
            Replay
          </Button>
        </>
      )}
      <Button kind="ghost" shortcut="A" disabledReason={disabledReason} onClick={onAcknowledge}>
        Dismiss
      </Button>
    </div>
  );
}
