// The field that narrows a list as one types. Escape empties it; Escape, Down and Enter lead on into the list.
import type { ReactElement, RefObject } from 'react';
import { Icon } from '../feedback/icon.tsx';

export function FilterField({
  label,
  placeholder = label,
  icon = 'search',
  place,
  value,
  fieldRef,
  onChange,
  onLeave,
}: {
  readonly label: string;
  readonly placeholder?: string;
  readonly icon?: 'folder' | 'search';
  /** Where it stands in its row. */
  readonly place?: 'grow' | 'end';
  readonly value: string;
  readonly fieldRef?: RefObject<HTMLInputElement | null>;
  readonly onChange: (value: string) => void;
  /** `begin`: to what matches; the first row, when none is selected. */
  readonly onLeave: (begin: boolean) => void;
}): ReactElement {
  return (
    <span className={place === undefined ? 'search' : `search ${place}`}>
      <Icon of={icon} small />
      <input
        {...(fieldRef === undefined ? {} : { ref: fieldRef })}
        className="input"
        type="text"
        aria-label={label}
        title={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            onChange('');
            // The rows that the filter hid are there with the next rendering.
            requestAnimationFrame(() => onLeave(false));
          } else if (event.key === 'ArrowDown' || event.key === 'Enter') onLeave(true);
          else return;
          event.preventDefault();
        }}
      />
    </span>
  );
}
