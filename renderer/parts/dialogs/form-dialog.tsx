// A dialog that is filled in: fields that scroll where the window is low, and below them, always in sight, Cancel and the one
// button that does it. Enter does it as well.
import type { ReactElement, ReactNode } from 'react';
import { Button } from '../buttons/button.tsx';
import { Dialog } from './dialog.tsx';
import { DialogBody } from './dialog-body.tsx';

export function FormDialog({
  title,
  submit,
  disabledReason,
  error = null,
  note,
  wide = false,
  children,
  onSubmit,
  onClose,
}: {
  readonly title: string;
  /** What the button says. */
  readonly submit: string;
  /** Why it cannot be done now; then Enter does nothing. null: it can. */
  readonly disabledReason: string | null;
  /** Why the agent refused it, where no field is to blame. */
  readonly error?: string | null;
  /** Stands beside the buttons. */
  readonly note?: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <Dialog title={title} onClose={onClose} wide={wide}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (disabledReason === null) onSubmit();
        }}
      >
        <DialogBody
          error={error}
          actions={
            <>
              {note === undefined ? null : <span className="faint grow">{note}</span>}
              <Button onClick={onClose}>Cancel</Button>
              <Button kind="primary" type="submit" disabledReason={disabledReason}>
                {submit}
              </Button>
            </>
          }
        >
          {children}
        </DialogBody>
      </form>
    </Dialog>
  );
}
