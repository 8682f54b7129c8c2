// The top bar: finder, worst mirror state, Pause all, theme.
import { Menu } from '@base-ui/react/menu';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { useObservable } from '../api/observable.ts';
import { useLink } from '../api/services.ts';
import { useViewer } from '../api/viewer.ts';
import { globalStatus, type StatusView } from '../model/mirror/mirror-view.ts';
import { Button } from '../parts/buttons/button.tsx';
import { Icon, type Meaning } from '../parts/feedback/icon.tsx';
import { Status } from '../parts/feedback/status.tsx';
import { setTheme, type Theme, theme } from '../theme.ts';
import { PauseAll } from './pause-all.tsx';

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function TopBar({
  onFind,
  onKeys,
}: {
  readonly onFind: () => void;
  readonly onKeys: () => void;
}): ReactElement {
  const state = useGlobalStatus();
  return (
    <header className="top">
      <div className="brand">
        <Icon of="mooring" />
        <span>Mooring</span>
      </div>
      <button type="button" className="find" onClick={onFind}>
        <Icon of="search" small />
        <span className="grow ellipsis find-text">Search files, contents, commands and ids</span>
        <span className="key" aria-hidden="true">
          {isMac ? '⌘ K' : 'Ctrl K'}
        </span>
      </button>
      <div className="top-end">
        {state === null ? null : <Status kind={state.kind} word={state.word} pill />}
        <PauseAll />
        <Button kind="ghost" icon="help" label="Keyboard shortcuts" shortcut="?" onClick={onKeys} />
        <ThemeMenu />
        <Account />
      </div>
    </header>
  );
}

/** The user who is signed in; an agent, and the owner token, have none. */
function Account(): ReactElement | null {
  const user = useViewer()?.user;
  if (user === undefined) return null;
  return (
    <Link className="button ghost account" href="/settings/account" title={`Signed in as ${user.name}`}>
      <span className="ellipsis">{user.name}</span>
    </Link>
  );
}

function useGlobalStatus(): StatusView | null {
  const { phase, status } = useLink();
  if (phase === 'offline') return { kind: 'offline', word: 'Offline' };
  return status === null ? null : globalStatus(status.mirrors);
}

const themes: readonly { readonly value: Theme; readonly name: string; readonly icon: Meaning }[] = [
  { value: 'light', name: 'Light', icon: 'light' },
  { value: 'dark', name: 'Dark', icon: 'dark' },
  { value: 'system', name: 'System', icon: 'system' },
];

function ThemeMenu(): ReactElement {
  const choice = useObservable(theme);
  const current = themes.find((each) => each.value === choice);
  const label = `Theme: ${current?.name ?? choice}`;
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="button ghost square" aria-label={label} title={label}>
        <Icon of={current?.icon ?? 'system'} small />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} align="end" className="above">
          <Menu.Popup className="menu">
            <Menu.RadioGroup value={choice} onValueChange={(value: Theme) => setTheme(value)}>
              {themes.map((each) => (
                <Menu.RadioItem key={each.value} value={each.value} className="menu-item" closeOnClick>
                  <Icon of={each.icon} small />
                  <span className="grow">{each.name}</span>
                  <Menu.RadioItemIndicator className="mark">
                    <Icon of="copied" small />
                  </Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
