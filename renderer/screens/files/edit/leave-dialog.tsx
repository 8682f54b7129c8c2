// Asked before a file is left whose text is not saved.
import { type ReactElement, useEffect, useState } from 'react';
import { useDisabledReason } from '../../../api/services.ts';
import { setUnsavedChangesPrompt } from '../../../location/unsaved-changes.ts';
import { nameOf } from '../../../model/files/path.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { DialogBody } from '../../../parts/dialogs/dialog-body.tsx';
import type { Edit } from './use-edit.ts';

export interface Leaving {
  /** What goes on when the text is saved or thrown away. */
  readonly leave: () => void;
}

/** Watches over a text that is not saved: whoever would leave `address` is asked. */
export function useUnsavedChangesPrompt(
  unsaved: boolean,
  address: string,
): readonly [Leaving | null, (leaving: Leaving | null) => void] {
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  useEffect(() => {
    if (!unsaved) return undefined;
    setUnsavedChangesPrompt({
      keepsChanges: (to) => placeOf(to) === placeOf(address),
      ask: (leave) => setLeaving({ leave }),
    });
    return () => setUnsavedChangesPrompt(null);
  });
  return [leaving, setLeaving];
}

/** Which file of which workspace an address names, and as of when, whatever view of it. */
function placeOf(address: string): string {
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
    <Dialog title={`${nameOf(path)} is not saved`} onClose={onClose}>
      <DialogBody
        actions={
          <>
            <Button onClick={onClose}>Go on editing</Button>
            <Button
              kind="danger"
              onClick={() => {
                edit.stop();
                go();
              }}
            >
              Throw it away
            </Button>
            <Button
              kind="primary"
              disabledReason={offline ?? (edit.saving ? 'It is being saved.' : null)}
              onClick={() => void saveAndGo()}
            >
              Save
            </Button>
          </>
        }
      >
        <p className="soft">What you typed exists only on this page.</p>
      </DialogBody>
    </Dialog>
  );
}
