// The prompt before leaving a file with unsaved changes.
import { type ReactElement, useEffect, useState } from 'react';
import { useDisabledReason } from '../../../api/services.ts';
import { setUnsavedChangesPrompt } from '../../../location/unsaved-changes.ts';
import { nameOf } from '../../../model/files/path.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { DialogBody } from '../../../parts/dialogs/dialog-body.tsx';
import type { Edit } from './use-edit.ts';

export interface Leaving {
  /** Continues the navigation after the text is saved or discarded. */
  readonly leave: () => void;
}

/** Prompts before a navigation away from `address` while there are unsaved changes. */
export function useUnsavedChangesPrompt(
  unsaved: boolean,
  address: string,
): readonly [Leaving | null, (leaving: Leaving | null) => void] {
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  useEffect(() => {
    if (!unsaved) return undefined;
    setUnsavedChangesPrompt({
      losesNothing: (to) => fileOf(to) === fileOf(address),
      ask: (leave) => setLeaving({ leave }),
    });
    return () => setUnsavedChangesPrompt(null);
  });
  return [leaving, setLeaving];
}

/** The workspace, the point in time and the path of an address, without the view. */
function fileOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'app://page');
  return `${searchParams.get('workspace') ?? ''} ${searchParams.get('at') ?? ''} ${pathname}`;
}

export function LeaveDialog({
  path,
  edit,
  leaving,
  onClose,
}: {
  readonly path: string;
  readonly edit: Edit;
  readonly leaving: Leaving;
  readonly onClose: () => void;
}): ReactElement {
  const offline = useDisabledReason();
  const go = (): void => {
    setUnsavedChangesPrompt(null);
    onClose();
    leaving.leave();
  };
  const saveAndGo = async (): Promise<void> => {
    if (await edit.save()) go();
    else onClose();
  };
  return (
    <Dialog title={`Unsaved changes in ${nameOf(path)}`} onClose={onClose}>
      <DialogBody
        actions={
          <>
            <Button onClick={onClose}>Keep editing</Button>
            <Button
              kind="danger"
              onClick={() => {
                edit.stop();
                go();
              }}
            >
              Discard
            </Button>
            <Button
              kind="primary"
              disabledReason={offline ?? (edit.saving ? 'Saving…' : null)}
              onClick={() => void saveAndGo()}
            >
              Save
            </Button>
          </>
        }
      >
        <p className="soft">Your changes exist only on this page.</p>
      </DialogBody>
    </Dialog>
  );
}
