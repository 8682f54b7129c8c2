// A text field that filters a list while typing. Escape clears it; Escape, Down and Enter move the focus into the list.
import type { ReactElement, RefObject } from 'react';
import { Icon } from '../feedback/icon.tsx';

export function FilterField({
  label,
  placeholder = label,
  icon = 'search',
  position,
  value,
  fieldRef,
  onChange,
  onLeave,
}: {
  readonly label: string;
  readonly placeholder?: string;
  readonly icon?: 'filter' | 'folder' | 'search';
  /** Position in its row. */
  readonly position?: 'grow' | 'end';
  readonly value: string;
  readonly fieldRef?: RefObject<HTMLInputElement | null>;
  readonly onChange: (value: string) => void;
  /** Moves the focus into the list. `begin`: to the first row, when none is selected. */
  readonly onLeave: (begin: boolean) => void;
}): ReactElement {
  return (
    <span className={position === undefined ? 'search' : `search ${position}`}>
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
