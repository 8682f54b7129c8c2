// A filter as a button with its value, and a menu of the possible values: `Changed: last week`.
import { Menu } from '@base-ui/react/menu';
import type { ReactElement, RefObject } from 'react';
import { Icon } from '../feedback/icon.tsx';

export function FilterMenu<T extends string>({
  label,
  value,
  options,
  trigger,
  onChange,
}: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly text: string }[];
  /** Gets the button. */
  readonly trigger?: RefObject<HTMLButtonElement | null>;
  readonly onChange: (value: T) => void;
}): ReactElement {
  const chosen = options.find((option) => option.value === value);
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger ref={trigger} className="button filter-menu" title={`${label}: ${chosen?.text ?? value}`}>
        <span className="soft">{label}:</span>
        <b className="ellipsis">{chosen?.text ?? value}</b>
        <Icon of="open" small />
      </Menu.Trigger>
      <Menu.Portal>
        <section aria-label={label}>
          <Menu.Positioner sideOffset={4} align="start" className="above">
            <Menu.Popup className="menu">
              <Menu.RadioGroup value={value} onValueChange={(next: T) => onChange(next)}>
                {options.map((option) => (
                  <Menu.RadioItem key={option.value} value={option.value} className="menu-item" closeOnClick>
                    <span className="grow ellipsis">{option.text}</span>
                    <Menu.RadioItemIndicator className="mark">
                      <Icon of="copied" small />
                    </Menu.RadioItemIndicator>
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            </Menu.Popup>
          </Menu.Positioner>
        </section>
      </Menu.Portal>
    </Menu.Root>
  );
}
