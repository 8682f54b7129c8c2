// Shows a new secret that nothing shows again. Only its button closes the dialog: Escape, a click beside it and Back show why.
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
  const [isCloseRefused, setCloseRefused] = useState(false);
  useEffect(() => {
    setUnsavedChangesPrompt({ losesNothing: () => false, ask: () => setCloseRefused(true) });
    return () => setUnsavedChangesPrompt(null);
  }, []);
  return (
    <Dialog title={title} onClose={() => setCloseRefused(true)} wide>
      <DialogBody
        error={
          isCloseRefused ? `The ${what} is shown only once. Copy it, then choose “I have copied it”.` : null
        }
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
