// The finder: commands, screens, workspaces, files by name and by content, and operations, inbound events, events and conflicts by id.
import { type KeyboardEvent, type ReactElement, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { screenHref } from '../location/screen-location.ts';
import { Dialog } from '../parts/dialogs/dialog.tsx';
import { Icon } from '../parts/feedback/icon.tsx';
import { FinderList } from './finder-list.tsx';
import { type Choice, useChoices } from './use-choices.ts';

export function Finder({
  onClose,
  onKeys,
}: {
  readonly onClose: () => void;
  readonly onKeys: () => void;
}): ReactElement {
  const [query, setQuery] = useState('');
  const [position, setPosition] = useState(0);
  const [, navigate] = useLocation();
  const listId = useId();
  const { choices, isLoading } = useChoices(query.trim(), onKeys);
  const current = Math.min(position, choices.length - 1);

  const run = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    onClose();
    choice.run();
  };
  const search = (): void => {
    onClose();
    navigate(screenHref('search', null, { q: query.trim() }));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const chosen = choices[current];
    if (step !== 0 && choices.length > 0) setPosition((current + step + choices.length) % choices.length);
    else if (event.key === 'Tab' && chosen?.completesTo !== undefined && !event.shiftKey) {
      setQuery(chosen.completesTo);
      setPosition(0);
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) search();
    else if (event.key === 'Enter') run(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Find" onClose={onClose} plain>
      <div className="finder-query">
        <Icon of="search" />
        <input
          ref={focusAtOnce}
          role="combobox"
          aria-label="Find files, contents, ids and commands"
          aria-expanded={choices.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={choices[current] === undefined ? undefined : `${listId}-${current}`}
          placeholder="File, text, id, workspace or command"
          spellCheck={false}
          autoComplete="off"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setPosition(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <FinderList id={listId} choices={choices} current={current} onPoint={setPosition} onRun={run} />
      {choices.length === 0 ? (
        <p className="finder-none">{isLoading ? 'Searching…' : `Nothing matches “${query.trim()}”`}</p>
      ) : null}
      <FinderKeys />
    </Dialog>
  );
}

function FinderKeys(): ReactElement {
  return (
    <div className="finder-keys" aria-hidden="true">
      <span>
        <span className="key">↑</span> <span className="key">↓</span> choose
      </span>
      <span>
        <span className="key">↵</span> open
      </span>
      <span>
        <span className="key">Ctrl</span> <span className="key">↵</span> Search page
      </span>
      <span className="end">
        <span className="key">/</span> folders
      </span>
      <span>
        <span className="key">&gt;</span> commands only
      </span>
    </div>
  );
}

/** A ref, not an effect: letters typed immediately after opening must not get lost. */
function focusAtOnce(field: HTMLInputElement | null): void {
  field?.focus();
}
