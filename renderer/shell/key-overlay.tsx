// The list of all keyboard shortcuts. A screen with its own shortcuts adds them to this table.
import type { ReactElement } from 'react';
import type { KeyBinding } from '../keys.ts';
import { Dialog } from '../parts/dialogs/dialog.tsx';
import { screens } from '../screens.ts';
import { isMac } from './top-bar.tsx';

const bindings: readonly KeyBinding[] = [
  { group: 'Everywhere', keys: isMac ? '⌘ K' : 'Ctrl K', action: 'Find' },
  { group: 'Everywhere', keys: '?', action: 'Keyboard shortcuts' },
  { group: 'Everywhere', keys: isMac ? '⌘ F' : 'Ctrl F', action: 'Filter the list' },
  ...screens.map((screen) => ({
    group: 'Everywhere',
    keys: `G ${screen.key.toUpperCase()}`,
    action: screen.name,
  })),
  { group: 'Everywhere', keys: 'Esc', action: 'Back, close' },
  { group: 'Overview', keys: '1 … 9', action: 'Focus a mirror' },
  { group: 'Overview', keys: 'Enter', action: 'Press its first button' },
  { group: 'Overview', keys: 'P', action: 'Pause or resume it' },
  { group: 'Overview', keys: 'N', action: 'Mirror a folder' },
  { group: 'Files', keys: 'J K', action: 'Down, up (or arrow keys)' },
  { group: 'Files', keys: '← →', action: 'Collapse, expand; leave, enter' },
  { group: 'Files', keys: 'Enter', action: 'Open' },
  { group: 'Files', keys: '/', action: 'Filter' },
  { group: 'Files', keys: 'C', action: 'Copy path' },
  { group: 'Files', keys: 'E', action: 'Edit' },
  { group: 'Files', keys: isMac ? '⌘ S' : 'Ctrl S', action: 'Save' },
  { group: 'Files', keys: 'O', action: 'Show in folder' },
  { group: 'Files', keys: 'D', action: 'Download' },
  { group: 'Files', keys: 'I', action: 'Content or details' },
  { group: 'Files', keys: 'H', action: 'History' },
  { group: 'Files', keys: 'Y', action: 'Explain' },
  { group: 'Files', keys: '[ ]', action: 'Older, newer revision' },
  { group: 'Files', keys: 'R', action: 'Restore revision' },
  { group: 'Conflicts', keys: '1', action: 'Keep local' },
  { group: 'Conflicts', keys: '2', action: 'Keep remote' },
  { group: 'Conflicts', keys: '3', action: 'Keep both' },
  { group: 'Conflicts', keys: 'M', action: 'Resolve, save merge' },
  { group: 'Dead letters', keys: 'E', action: 'Edit and replay' },
  { group: 'Dead letters', keys: 'R', action: 'Replay' },
  { group: 'Dead letters', keys: 'A', action: 'Dismiss' },
  { group: 'Dead letters', keys: 'X', action: 'Select' },
  { group: 'Dead letters', keys: isMac ? '⌘ A' : 'Ctrl A', action: 'Select all' },
  { group: 'Operations', keys: 'R', action: 'Replay' },
  { group: 'Operations', keys: 'T', action: 'Try in sandbox' },
  { group: 'Operations', keys: 'X', action: 'Select' },
  { group: 'Operations', keys: isMac ? '⌘ A' : 'Ctrl A', action: 'Select all' },
  { group: 'Operations', keys: 'C', action: 'Copy id' },
  { group: 'Activity', keys: 'J K', action: 'Down, up (or arrow keys)' },
  { group: 'Activity', keys: 'P', action: 'Pause or resume' },
  { group: 'Activity', keys: '/', action: 'Filter' },
  { group: 'Activity', keys: 'C', action: 'Copy correlation id' },
  { group: 'Writeback', keys: 'J K', action: 'Down, up (or arrow keys)' },
  { group: 'Writeback', keys: 'R', action: 'Retry' },
  { group: 'Writeback', keys: 'A', action: 'Mark sent' },
  { group: 'Writeback', keys: 'X', action: 'Select' },
  { group: 'Writeback', keys: isMac ? '⌘ A' : 'Ctrl A', action: 'Select all' },
  { group: 'Writeback', keys: '/', action: 'Filter' },
  { group: 'Writeback', keys: 'C', action: 'Copy id' },
  { group: 'Settings', keys: '1 … 6', action: 'Open a section' },
  { group: 'Settings', keys: 'N', action: 'New entry of the section' },
];

export function KeyOverlay({ onClose }: { readonly onClose: () => void }): ReactElement {
  const groups = [...new Set(bindings.map((binding) => binding.group))];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} wide>
      {/* The list itself has the focus, so that arrow keys scroll it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling regions must be reachable by keyboard */}
      <section className="dialog-body" tabIndex={0} aria-label="All shortcuts">
        <p className="soft">
          Single-letter shortcuts are off while a field has the focus or an editor, dialog or menu is open. To
          disable them, open Settings, App.
        </p>
        {groups.map((group) => (
          <section key={group}>
            <h3 className="key-group">{group}</h3>
            <ul className="key-list">
              {bindings
                .filter((binding) => binding.group === group)
                .map((binding) => (
                  <li key={binding.keys}>
                    <span>{binding.action}</span>
                    <span>
                      {binding.keys.split(' ').map((key) => (
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
