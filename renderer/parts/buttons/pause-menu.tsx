// A button that opens the choices of how long to pause.
import { Menu } from '@base-ui/react/menu';
import { type ReactElement, useState } from 'react';
import { type PauseChoice, pauseChoices } from '../../model/mirror/pause-choices.ts';
import { Icon } from '../feedback/icon.tsx';

export function PauseMenu({
  text,
  disabledReason,
  onPause,
}: {
  readonly text: string;
  /** null: enabled. */
  readonly disabledReason: string | null;
  readonly onPause: (choice: PauseChoice) => void;
}): ReactElement {
  const [choices, setChoices] = useState<readonly PauseChoice[]>([]);
  return (
    <Menu.Root modal={false} onOpenChange={(isOpen) => isOpen && setChoices(pauseChoices(Date.now()))}>
      <Menu.Trigger
        className="button ghost"
        disabled={disabledReason !== null}
        title={disabledReason ?? undefined}
      >
        <Icon of="paused" small />
        {text}
        <Icon of="open" small />
      </Menu.Trigger>
      <Menu.Portal>
        <section aria-label={text}>
          <Menu.Positioner sideOffset={4} align="end" className="above">
            <Menu.Popup className="menu">
              {choices.map((choice) => (
                <Menu.Item key={choice.text} className="menu-item" onClick={() => onPause(choice)}>
                  {choice.text}
                </Menu.Item>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </section>
      </Menu.Portal>
    </Menu.Root>
  );
}
