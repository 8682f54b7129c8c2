// A secret that was just made and that nothing shows again. Only its button closes the dialog: Escape, a click beside it and Back
// say why it stays open.
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { setUnsavedChangesPrompt } from '../../location/unsaved-changes.ts';
import { Button } from '../buttons/button.tsx';
import { Dialog } from './dialog.tsx';
import { DialogBody } from './dialog-body.tsx';

export function ShownOnceDialog({
  title,
  what,
  children,
  onClose,
}: {
  readonly title: string;
  /** `token`. */
  readonly what: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
}): ReactElement {
  const [refused, setRefused] = useState(false);
  useEffect(() => {
    setUnsavedChangesPrompt({ keepsChanges: () => false, ask: () => setRefused(true) });
    return () => setUnsavedChangesPrompt(null);
  }, []);
  return (
    <Dialog title={title} onClose={() => setRefused(true)} wide>
      <DialogBody
        error={refused ? `The ${what} is shown only here. Copy it, then choose “I have copied it”.` : null}
        actions={
          <Button kind="primary" onClick={onClose}>
            I have copied it
          </Button>
        }
      >
        {children}
      </DialogBody>
    </Dialog>
  );
}
