// Filters of a list, one of which is active, each with its number of rows.
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
  /** Without `rowCount`: not known. */
  readonly options: readonly { readonly value: T; readonly name: string; readonly rowCount?: number }[];
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
          {option.rowCount === undefined ? null : <b>{count(option.rowCount)}</b>}
        </button>
      ))}
    </span>
  );
}
