// Asks before many things are done at once, with their number, or one that takes much away. The safe button has the focus,
// or the field in which the words must be typed.
import type { ReactElement, ReactNode } from 'react';
import { useState } from 'react';
import { describeError, useDisabledReason } from '../../api/services.ts';
import { Button } from '../buttons/button.tsx';
import { Field } from '../fields/field.tsx';
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
  /** The words of the button. */
  readonly confirm: string;
  /** What must be typed before the button works; null: nothing. */
  readonly typed?: string | null;
  readonly danger?: boolean;
  /** The dialog closes when it resolves, and says why when it rejects. */
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
                  ? 'It is being done.'
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
          <Field
            label={
              <>
                Type <span className="mono">{typed}</span> to go on
              </>
            }
          >
            {(wiring) => (
              <input
                {...wiring}
                className="input mono"
                value={text}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
        )}
      </DialogBody>
    </Dialog>
  );
}
