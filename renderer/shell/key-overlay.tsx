// The list of all keyboard shortcuts. A screen with its own shortcuts adds them to this table.
import type { ReactElement } from 'react';
import { useHasFeature } from '../api/offer.ts';
import { Dialog } from '../parts/dialogs/dialog.tsx';
import { screens, useScreens } from '../screens.ts';
import { isMac } from './top-bar.tsx';

const modified = (key: string): string => (isMac ? `⌘ ${key}` : `Ctrl ${key}`);

type Shortcut = readonly [keys: string, action: string];

const groups: Readonly<Record<string, readonly Shortcut[]>> = {
  Everywhere: [
    [modified('K'), 'Find'],
    [modified('↵'), 'In Find: open Search'],
    ['→', 'In Find: actions of a file'],
    ['/ > #', 'In Find: folders, commands, ids'],
    ['?', 'Keyboard shortcuts'],
    [modified('F'), 'Filter the list'],
    ['Esc', 'Back, close'],
  ],
  Screens: screens.map((screen): Shortcut => [`G ${screen.key.toUpperCase()}`, screen.name]),
  Overview: [
    ['1 … 9', 'Focus a mirror'],
    ['Enter', 'Press its first button'],
    ['P', 'Pause or resume it'],
    ['N', 'Mirror a folder'],
  ],
  Files: [
    ['J K', 'Down, up (or arrow keys)'],
    ['← →', 'Collapse, expand; leave, enter'],
    ['Enter', 'Open'],
    ['/', 'Filter'],
    ['C', 'Copy path'],
    ['E', 'Edit'],
    ['N', 'New file'],
    ['F2', 'Rename or move'],
    ['Del', 'Delete'],
    ['X', 'Select for an action on several'],
    [modified('A'), 'Select all'],
    [modified('S'), 'Save'],
    ['O', 'Show in folder'],
    ['D', 'Download'],
    ['I', 'Content or details'],
    ['V', 'Rendered or raw'],
    ['H', 'History'],
    ['Y', 'Explain'],
    ['[ ]', 'Older, newer revision'],
    ['R', 'Restore revision'],
  ],
  Search: [
    ['/', 'Focus the field'],
    ['J K', 'Down, up (or arrow keys)'],
    ['N P', 'Next, previous line of the file'],
    ['Enter', 'Open the file at the line'],
    ['C', 'Copy path'],
  ],
  Runs: [
    ['J K', 'Down, up in the changed files'],
    ['X', 'Choose for the commit'],
    [modified('↵'), 'Commit'],
    ['U', 'Undo run'],
    ['N', 'New run'],
  ],
  Logs: [
    ['J K', 'Down, up (or arrow keys)'],
    ['P', 'Pause or resume'],
    ['/', 'Focus the text filter'],
    ['C', 'Copy the entry as JSON'],
  ],
  Remotes: [
    ['J K', 'Down, up (or arrow keys)'],
    ['P', 'Pause, resume or try now'],
    ['N', 'Add remote'],
  ],
  Conflicts: [
    ['1', 'Keep local'],
    ['2', 'Keep remote'],
    ['3', 'Keep both'],
    ['M', 'Resolve, save merge'],
  ],
  'Dead letters': [
    ['E', 'Edit and replay'],
    ['R', 'Replay'],
    ['A', 'Dismiss'],
    ['X', 'Select'],
    [modified('A'), 'Select all'],
  ],
  Operations: [
    ['R', 'Replay'],
    ['T', 'Try in sandbox'],
    ['X', 'Select'],
    [modified('A'), 'Select all'],
    ['C', 'Copy id'],
  ],
  Activity: [
    ['J K', 'Down, up (or arrow keys)'],
    ['P', 'Pause or resume'],
    ['/', 'Filter'],
    ['C', 'Copy correlation id'],
  ],
  Writeback: [
    ['J K', 'Down, up (or arrow keys)'],
    ['R', 'Retry'],
    ['A', 'Mark sent'],
    ['X', 'Select'],
    [modified('A'), 'Select all'],
    ['/', 'Filter'],
    ['C', 'Copy id'],
  ],
  Settings: [
    ['1 … 9', 'Open a section'],
    ['N', 'New entry of the section'],
  ],
};

/** Of the screens that the viewer has. */
function useGroups(): readonly (readonly [name: string, shortcuts: readonly Shortcut[]])[] {
  const offered = useScreens().map(({ name }) => name);
  const hasFolders = useHasFeature('folders');
  const isOffered = (name: string): boolean =>
    (offered.includes(name) || screens.every((screen) => screen.name !== name)) &&
    (name !== 'Overview' || hasFolders);
  return Object.entries(groups)
    .filter(([name]) => isOffered(name))
    .map(([name, shortcuts]) => [
      name,
      name === 'Screens' ? shortcuts.filter(([, screen]) => offered.includes(screen)) : shortcuts,
    ]);
}

export function KeyOverlay({ onClose }: { readonly onClose: () => void }): ReactElement {
  const shown = useGroups();
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} wide>
      {/* The list itself has the focus, so that arrow keys scroll it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling regions must be reachable by keyboard */}
      <section className="dialog-body" tabIndex={0} aria-label="All shortcuts">
        <p className="soft">
          Single-letter shortcuts are off while a field has the focus or an editor, dialog or menu is open. To
          disable them, open Settings, App.
        </p>
        {shown.map(([group, shortcuts]) => (
          <section key={group}>
            <h3 className="key-group">{group}</h3>
            <ul className="key-list">
              {shortcuts.map(([keys, action]) => (
                <li key={keys}>
                  <span>{action}</span>
                  <span>
                    {keys.split(' ').map((key) => (
                      <span key={key} className="key">
                        {key}
                      </span>
                    ))}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </section>
    </Dialog>
  );
}
