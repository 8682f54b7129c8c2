// Filters of a list of which one holds, with how many each would show.
import type { ReactElement } from 'react';
import { count } from '../../model/format.ts';

export function FilterChips<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: T;
  /** Without `figure`: not counted. */
  readonly options: readonly { readonly value: T; readonly name: string; readonly figure?: number }[];
  readonly onChange: (value: T) => void;
}): ReactElement {
  return (
    // biome-ignore lint/a11y/useSemanticElements: views of one list, not a form's fieldset
    <span className="chips" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.name}
          {option.figure === undefined ? null : <b>{count(option.figure)}</b>}
        </button>
      ))}
    </span>
  );
}
