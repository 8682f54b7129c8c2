// A labelled field with its hint, or the error of its value; and a field with one line of text.
import {
  type HTMLAttributes,
  type InputHTMLAttributes,
  type ReactElement,
  type ReactNode,
  useId,
} from 'react';

interface FieldTexts {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | null;
}

export function Field({
  label,
  hint,
  error = null,
  children,
}: FieldTexts & {
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

type InputAttributes = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'className' | 'inputMode' | 'maxLength' | 'placeholder' | 'spellCheck'
>;

/** A field with one line of text. */
export function TextField({
  label,
  hint,
  error = null,
  onChange,
  ...attributes
}: FieldTexts &
  InputAttributes & {
    readonly value: string;
    readonly onChange: (text: string) => void;
  }): ReactElement {
  return (
    <Field label={label} hint={hint} error={error}>
      {(wiring) => (
        <input
          {...wiring}
          className="input"
          autoComplete="off"
          {...attributes}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
