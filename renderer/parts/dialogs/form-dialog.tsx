// A dialog with a form: fields that scroll in a low window, and always visible buttons. Enter submits.
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
  /** The label of the button. */
  readonly submit: string;
  /** null: enabled. Otherwise Enter does nothing. */
  readonly disabledReason: string | null;
  /** The agent's error, if it concerns no field. */
  readonly error?: string | null;
  /** Shown beside the buttons. */
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
