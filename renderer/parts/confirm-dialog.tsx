// Asks before many things are done at once, with their number. The safe button has the focus.
import type { ReactElement, ReactNode } from 'react';
import { useState } from 'react';
import { describeError, useBlocked } from '../api/services.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

export function ConfirmDialog({
  title,
  children,
  confirm,
  onConfirm,
  onClose,
}: {
  readonly title: string;
  readonly children: ReactNode;
  /** The words of the button. */
  readonly confirm: string;
  /** The dialog closes when it resolves, and says why when it rejects. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}): ReactElement {
  const blocked = useBlocked();
  const [state, setState] = useState<'asking' | 'running' | { readonly failed: string }>('asking');
  const run = (): void => {
    setState('running');
    onConfirm().then(onClose, (error: unknown) => setState({ failed: describeError(error) }));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dialog-body">
        {children}
        {typeof state === 'object' ? (
          <p className="hint bad" role="alert">
            {state.failed}
          </p>
        ) : null}
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" blocked={state === 'running' ? 'It is being done.' : blocked} onClick={run}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
