// The finder: commands, screens, workspaces, files by name and by content, with their actions, and operations, inbound events, events,
// conflicts and correlations by id.
import { type KeyboardEvent, type ReactElement, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../parts/dialogs/dialog.tsx';
import { Icon } from '../parts/feedback/icon.tsx';
import { PathText } from '../parts/feedback/path-text.tsx';
import type { Choice, ChosenFile } from './choice.ts';
import { useFileActions } from './file-actions.ts';
import { FinderList } from './finder-list.tsx';
import { useChoices } from './use-choices.ts';

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
  const [actionsOf, setActionsOf] = useState<ChosenFile | null>(null);
  const found = useChoices(query.trim(), onKeys);
  const actions = useFileActions(actionsOf);
  const choices = actions ?? found.choices;
  const current = Math.min(position, choices.length - 1);

  const run = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    onClose();
    choice.run();
  };
  const search = (): void => {
    onClose();
    navigate(found.pageHref);
  };
  /** null: the results, with the one whose actions were shown. */
  const showActions = (file: ChosenFile | null): void => {
    setActionsOf(file);
    setPosition(
      file === null
        ? Math.max(
            found.choices.findIndex((each) => each.file === actionsOf),
            0,
          )
        : 0,
    );
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const chosen = choices[current];
    if (step !== 0 && choices.length > 0) setPosition((current + step + choices.length) % choices.length);
    else if (event.key === 'ArrowRight' && chosen?.file !== undefined && isAtEnd(event.currentTarget))
      showActions(chosen.file);
    else if (event.key === 'ArrowLeft' && actions !== null) showActions(null);
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
            setActionsOf(null);
            setPosition(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {actionsOf !== null ? (
        <p className="finder-words">
          <Icon of="file" small /> <PathText path={actionsOf.path} />
        </p>
      ) : found.filters.length > 0 ? (
        <p className="finder-words">
          Only{' '}
          {found.filters.map((word) => (
            <code key={word} className="tag mono">
              {word}
            </code>
          ))}
        </p>
      ) : null}
      <FinderList id={listId} choices={choices} current={current} onPoint={setPosition} onRun={run} />
      {choices.length === 0 ? <p className="finder-none">{noneText(found.isLoading, query.trim())}</p> : null}
      <FinderKeys hasActions={actions !== null} />
    </Dialog>
  );
}

function noneText(isLoading: boolean, query: string): string {
  if (isLoading) return 'Searching…';
  return query === '#'
    ? 'Type an id: op_12, evt_12, env_…, con_…, or a correlation id'
    : `Nothing matches “${query}”`;
}

function isAtEnd({ selectionStart, selectionEnd, value }: HTMLInputElement): boolean {
  return selectionStart === value.length && selectionEnd === value.length;
}

function FinderKeys({ hasActions }: { readonly hasActions: boolean }): ReactElement {
  return (
    <div className="finder-keys" aria-hidden="true">
      <span>
        <span className="key">↑</span> <span className="key">↓</span> choose
      </span>
      <span>
        <span className="key">↵</span> open
      </span>
      <span>
        <span className="key">{hasActions ? '←' : '→'}</span> {hasActions ? 'results' : 'actions'}
      </span>
      <span>
        <span className="key">Ctrl</span> <span className="key">↵</span> Search page
      </span>
      <span className="end">
        <span className="key">/</span> folders
      </span>
      <span>
        <span className="key">&gt;</span> commands
      </span>
      <span>
        <span className="key">#</span> ids
      </span>
    </div>
  );
}

/** A ref, not an effect: letters typed immediately after opening must not get lost. */
function focusAtOnce(field: HTMLInputElement | null): void {
  field?.focus();
}
