// A row of buttons, one of which is pressed: the options of a form or the views of a pane.
import type { ReactElement } from 'react';

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
