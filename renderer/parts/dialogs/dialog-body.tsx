// The body of a dialog: content that scrolls, error and actions that are always visible.
import type { ReactElement, ReactNode } from 'react';
import { FailureText } from '../feedback/note.tsx';

export function DialogBody({
  error = null,
  actions,
  children,
}: {
  /** Why the action failed. */
  readonly error?: string | null;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <>
      <div className="dialog-body">{children}</div>
      {error === null ? null : (
        <div className="dialog-failure">
          <FailureText error={error} />
        </div>
      )}
      <div className="dialog-actions">{actions}</div>
    </>
  );
}
