// A labelled field with its hint, or the error of its value.
import { type HTMLAttributes, type ReactElement, type ReactNode, useId } from 'react';

export function Field({
  label,
  hint,
  error = null,
  children,
}: {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | null;
  /** Gets the ids that connect it to label, hint and error. */
  readonly children: (
    wiring: Pick<HTMLAttributes<HTMLElement>, 'id' | 'aria-describedby' | 'aria-invalid'>,
  ) => ReactNode;
}): ReactElement {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': noteId, 'aria-invalid': error !== null })}
      <p
        id={noteId}
        className={error === null ? 'hint' : 'hint bad'}
        {...(error === null ? {} : { role: 'alert' })}
      >
        {error ?? hint}
      </p>
    </div>
  );
}
