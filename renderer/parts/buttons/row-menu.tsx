// The menu of a row: behind a button, or where the row was clicked with the other mouse button. A disabled action has its reason as tooltip.
import { ContextMenu } from '@base-ui/react/context-menu';
import { Menu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { Icon, type Meaning } from '../feedback/icon.tsx';

export interface RowAction {
  readonly text: string;
  readonly icon: Meaning;
  readonly shortcut?: string;
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
        <section aria-label="Actions">
          <Menu.Positioner sideOffset={4} align="end" className="above">
            <Menu.Popup className="menu">
              <Actions actions={actions} />
            </Menu.Popup>
          </Menu.Positioner>
        </section>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** A button with a word that opens a menu. */
export function MenuButton({
  text,
  icon,
  actions,
}: {
  readonly text: string;
  readonly icon: Meaning;
  readonly actions: readonly RowAction[];
}): ReactElement {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="button">
        <Icon of={icon} small />
        {text}
      </Menu.Trigger>
      <Menu.Portal>
        <section aria-label="Actions">
          <Menu.Positioner sideOffset={4} align="end" className="above">
            <Menu.Popup className="menu">
              <Actions actions={actions} />
            </Menu.Popup>
          </Menu.Positioner>
        </section>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** Around the rows: `onOpen` chooses the row before `actions` are shown. */
export function RowContextMenu({
  actions,
  onOpen,
  children,
}: {
  readonly actions: readonly RowAction[];
  /** `index`: of the row; null: beside the rows. */
  readonly onOpen: (index: number | null) => void;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <ContextMenu.Root>
      <ContextMenu.Trigger
        className="context-area"
        onContextMenu={(event) => {
          const row = event.target instanceof Element ? event.target.closest('[data-index]') : null;
          onOpen(row === null ? null : Number(row.getAttribute('data-index')));
        }}
      >
        {children}
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <section aria-label="Actions">
          <ContextMenu.Positioner className="above">
            <ContextMenu.Popup className="menu">
              <Actions actions={actions} />
            </ContextMenu.Popup>
          </ContextMenu.Positioner>
        </section>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

function Actions({ actions }: { readonly actions: readonly RowAction[] }): ReactElement {
  return (
    <>
      {actions.map((action) => (
        <Menu.Item
          key={action.text}
          className="menu-item"
          disabled={(action.disabledReason ?? null) !== null}
          {...(action.disabledReason == null ? {} : { title: action.disabledReason })}
          onClick={action.run}
        >
          <Icon of={action.icon} small />
          <span className="grow">{action.text}</span>
          {action.shortcut === undefined ? null : (
            <span className="key" aria-hidden="true">
              {action.shortcut}
            </span>
          )}
        </Menu.Item>
      ))}
    </>
  );
}
