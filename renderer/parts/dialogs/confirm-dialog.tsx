// Confirms an action on many objects or one that deletes. The focus is on Cancel, or on the field for the text to type.
import type { ReactElement, ReactNode } from 'react';
import { useState } from 'react';
import { describeError, useDisabledReason } from '../../api/services.ts';
import { Button } from '../buttons/button.tsx';
import { TextField } from '../fields/field.tsx';
import { Dialog } from './dialog.tsx';
import { DialogBody } from './dialog-body.tsx';

export function ConfirmDialog({
  title,
  children,
  confirm,
  typed = null,
  danger = false,
  onConfirm,
  onClose,
}: {
  readonly title: string;
  readonly children: ReactNode;
  /** The label of the button. */
  readonly confirm: string;
  /** Text to type before the button is enabled; null: none. */
  readonly typed?: string | null;
  readonly danger?: boolean;
  /** The dialog closes when it resolves and shows the error when it rejects. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const [text, setText] = useState('');
  const [state, setState] = useState<'asking' | 'running' | { readonly failed: string }>('asking');
  const run = (): void => {
    setState('running');
    onConfirm().then(onClose, (error: unknown) => setState({ failed: describeError(error) }));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogBody
        error={typeof state === 'object' ? state.failed : null}
        actions={
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              kind={danger ? 'danger' : 'primary'}
              disabledReason={
                state === 'running'
                  ? 'Working…'
                  : typed !== null && text.trim() !== typed
                    ? `Type “${typed}” first.`
                    : disabledReason
              }
              onClick={run}
            >
              {confirm}
            </Button>
          </>
        }
      >
        {children}
        {typed === null ? null : (
          <TextField
            label={
              <>
                Type <span className="mono">{typed}</span> to confirm
              </>
            }
            className="input mono"
            value={text}
            spellCheck={false}
            onChange={setText}
          />
        )}
      </DialogBody>
    </Dialog>
  );
}
