// The body of a dialog: content, error, actions.
import type { ReactElement, ReactNode } from 'react';

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
      <div className="dialog-body">
        {children}
        {error === null ? null : (
          <p className="hint bad" role="alert">
            {error}
          </p>
        )}
      </div>
      <div className="dialog-actions">{actions}</div>
    </>
  );
}
