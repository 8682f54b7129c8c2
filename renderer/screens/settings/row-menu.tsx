// The menu of a row. A disabled action has its reason as tooltip.
import { Menu } from '@base-ui/react/menu';
import type { ReactElement } from 'react';
import { Icon, type Meaning } from '../../parts/feedback/icon.tsx';

export interface RowAction {
  readonly text: string;
  readonly icon: Meaning;
  readonly disabledReason?: string | null;
  readonly run: () => void;
}

export function RowMenu({
  label,
  actions,
}: {
  /** `More for notes` */
  readonly label: string;
  readonly actions: readonly RowAction[];
}): ReactElement {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="button ghost square" aria-label={label} title={label}>
        <Icon of="more" small />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" className="above">
          <Menu.Popup className="menu">
            {actions.map((action) => (
              <Menu.Item
                key={action.text}
                className="menu-item"
                disabled={(action.disabledReason ?? null) !== null}
                {...(action.disabledReason == null ? {} : { title: action.disabledReason })}
                onClick={action.run}
              >
                <Icon of={action.icon} small />
                {action.text}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
