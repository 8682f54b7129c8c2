// A row of buttons, one of which is pressed: the options of a form or the views of a pane.
import { type ReactElement, type ReactNode, useId } from 'react';

export function Segments<T extends string | number>({
  labelledBy,
  label,
  options,
  value,
  onChange,
}: {
  /** The id of the visible label; otherwise `label`. */
  readonly labelledBy?: string;
  readonly label?: string;
  readonly options: readonly { readonly value: T; readonly text: string }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}): ReactElement {
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons in a row, not a form's fieldset
    <span className="segments" role="group" aria-labelledby={labelledBy} aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.text}
        </button>
      ))}
    </span>
  );
}

/** Segments as a field of a form, below their label. */
export function SegmentsField<T extends string | number>({
  label,
  hint,
  children = null,
  ...segments
}: {
  readonly label: string;
  readonly hint?: string;
  readonly options: readonly { readonly value: T; readonly text: string }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly children?: ReactNode;
}): ReactElement {
  const labelId = useId();
  return (
    <div className="field">
      <span className="label" id={labelId}>
        {label}
      </span>
      <Segments labelledBy={labelId} {...segments} />
      {hint === undefined ? null : <p className="hint">{hint}</p>}
      {children}
    </div>
  );
}
