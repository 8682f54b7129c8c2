// What a dialog consists of below its title: what it says, why it failed, and what can be done.
import type { ReactElement, ReactNode } from 'react';

export function DialogBody({
  error = null,
  actions,
  children,
}: {
  /** Why it could not be done. */
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
