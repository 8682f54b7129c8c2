// Every key that exists, in one place. A screen with keys of its own adds them to this table.
import type { ReactElement } from 'react';
import type { KeyBinding } from '../keys.ts';
import { Dialog } from '../parts/dialogs/dialog.tsx';
import { screens } from '../screens.ts';
import { isMac } from './top-bar.tsx';

const bindings: readonly KeyBinding[] = [
  { group: 'Everywhere', keys: isMac ? '⌘ K' : 'Ctrl K', does: 'Find' },
  { group: 'Everywhere', keys: '?', does: 'These keys' },
  { group: 'Everywhere', keys: isMac ? '⌘ F' : 'Ctrl F', does: 'Filter what is listed' },
  ...screens.map((screen) => ({
    group: 'Everywhere',
    keys: `G ${screen.key.toUpperCase()}`,
    does: screen.name,
  })),
  { group: 'Everywhere', keys: 'Esc', does: 'Back, close' },
  { group: 'Overview', keys: '1 … 9', does: 'Go to a mirror' },
  { group: 'Overview', keys: 'Enter', does: 'Its first button' },
  { group: 'Overview', keys: 'P', does: 'Pause or resume it' },
  { group: 'Overview', keys: 'N', does: 'Mirror a folder' },
  { group: 'Files', keys: 'J K', does: 'Down, up (arrows, too)' },
  { group: 'Files', keys: '← →', does: 'Collapse, expand; leave, enter' },
  { group: 'Files', keys: 'Enter', does: 'Open' },
  { group: 'Files', keys: '/', does: 'Filter' },
  { group: 'Files', keys: 'C', does: 'Copy path' },
  { group: 'Files', keys: 'E', does: 'Edit' },
  { group: 'Files', keys: isMac ? '⌘ S' : 'Ctrl S', does: 'Save' },
  { group: 'Files', keys: 'O', does: 'Show in folder' },
  { group: 'Files', keys: 'D', does: 'Download' },
  { group: 'Files', keys: 'I', does: 'Content or details' },
  { group: 'Files', keys: 'H', does: 'History' },
  { group: 'Files', keys: 'Y', does: 'Explain' },
  { group: 'Files', keys: '[ ]', does: 'Older, newer revision' },
  { group: 'Files', keys: 'R', does: 'Restore revision' },
  { group: 'Conflicts', keys: '1', does: 'Keep local' },
  { group: 'Conflicts', keys: '2', does: 'Keep remote' },
  { group: 'Conflicts', keys: '3', does: 'Keep both' },
  { group: 'Conflicts', keys: 'M', does: 'Resolve, save merge' },
  { group: 'Dead letters', keys: 'E', does: 'Edit and replay' },
  { group: 'Dead letters', keys: 'R', does: 'Replay' },
  { group: 'Dead letters', keys: 'A', does: 'Dismiss' },
  { group: 'Dead letters', keys: 'X', does: 'Select' },
  { group: 'Dead letters', keys: isMac ? '⌘ A' : 'Ctrl A', does: 'Select all' },
  { group: 'Operations', keys: 'R', does: 'Replay' },
  { group: 'Operations', keys: 'T', does: 'Try in a sandbox' },
  { group: 'Operations', keys: 'X', does: 'Select' },
  { group: 'Operations', keys: isMac ? '⌘ A' : 'Ctrl A', does: 'Select all' },
  { group: 'Operations', keys: 'C', does: 'Copy the id' },
  { group: 'Activity', keys: 'J K', does: 'Down, up (arrows, too)' },
  { group: 'Activity', keys: 'P', does: 'Pause, resume' },
  { group: 'Activity', keys: '/', does: 'Filter' },
  { group: 'Activity', keys: 'C', does: 'Copy correlation id' },
  { group: 'Writeback', keys: 'J K', does: 'Down, up (arrows, too)' },
  { group: 'Writeback', keys: 'R', does: 'Retry' },
  { group: 'Writeback', keys: 'A', does: 'Mark sent' },
  { group: 'Writeback', keys: 'X', does: 'Select' },
  { group: 'Writeback', keys: isMac ? '⌘ A' : 'Ctrl A', does: 'Select all' },
  { group: 'Writeback', keys: '/', does: 'Filter' },
  { group: 'Writeback', keys: 'C', does: 'Copy the id' },
  { group: 'Settings', keys: '1 … 6', does: 'Go to a section' },
  { group: 'Settings', keys: 'N', does: 'New one of what is shown' },
];

export function KeyOverlay({ onClose }: { readonly onClose: () => void }): ReactElement {
  const groups = [...new Set(bindings.map((binding) => binding.group))];
  return (
    <Dialog title="Keys" onClose={onClose} wide>
      {/* Nothing in it can have the focus, so the list has: it is scrolled with the arrows. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="dialog-body" tabIndex={0} aria-label="All keys">
        <p className="soft">
          Single letters are off while a field has the focus and while an edited text, a dialog or a menu is
          open. Settings, App switches them off altogether.
        </p>
        {groups.map((group) => (
          <section key={group}>
            <h3 className="key-group">{group}</h3>
            <ul className="key-list">
              {bindings
                .filter((binding) => binding.group === group)
                .map((binding) => (
                  <li key={binding.keys}>
                    <span>{binding.does}</span>
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
