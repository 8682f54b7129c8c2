// The finder: screens, commands, workspaces, files by path, and operations, inbound events, events and conflicts by id. A text
// that begins with `/` is completed folder by folder; other text searches the folders opened so far.
import { type KeyboardEvent, type ReactElement, useId, useState } from 'react';
import { useLocation } from 'wouter';
import type { FolderStore } from '../api/folder-store.ts';
import { workspaceOfId } from '../api/id-search.ts';
import { describeError, useFolders, useOpenFolder, useServices, useStatus } from '../api/services.ts';
import { filesHref } from '../location/app-location.ts';
import { screenHref } from '../location/screen-location.ts';
import { rememberWorkspace, useChosenWorkspace } from '../location/workspace-choice.ts';
import { parentOf } from '../model/files/path.ts';
import { pastedId } from '../model/inbound/pasted-id.ts';
import { Dialog } from '../parts/dialogs/dialog.tsx';
import { announce } from '../parts/feedback/announcer.tsx';
import { Icon, type Meaning } from '../parts/feedback/icon.tsx';
import { PathText } from '../parts/feedback/path-text.tsx';
import { screens } from '../screens.ts';
import { setTheme } from '../theme.ts';
import { useCommands } from './commands.ts';

const pathsMax = 12;

interface Choice {
  readonly id: string;
  readonly icon: Meaning;
  readonly text: string;
  /** Shown instead of `text`. */
  readonly path?: string;
  readonly side?: string;
  readonly run: () => void;
  /** Tab replaces the query with this path of a folder. */
  readonly completesTo?: string;
}

export function Finder({
  onClose,
  onKeys,
}: {
  readonly onClose: () => void;
  readonly onKeys: () => void;
}): ReactElement {
  const [query, setQuery] = useState('');
  const [position, setPosition] = useState(0);
  const listId = useId();
  const choices = useChoices(query.trim(), onKeys);
  const current = Math.min(position, choices.length - 1);

  const run = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    onClose();
    choice.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const chosen = choices[current];
    if (step !== 0 && choices.length > 0) {
      event.preventDefault();
      setPosition((current + step + choices.length) % choices.length);
    } else if (event.key === 'Tab' && chosen?.completesTo !== undefined && !event.shiftKey) {
      event.preventDefault();
      setQuery(chosen.completesTo);
      setPosition(0);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(chosen);
    }
  };
  return (
    <Dialog title="Find" onClose={onClose} plain>
      <div className="finder-query">
        <Icon of="search" />
        <input
          ref={focusAtOnce}
          role="combobox"
          aria-label="Find a file, an id or a command"
          aria-expanded={choices.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={choices[current] === undefined ? undefined : `${listId}-${current}`}
          placeholder="Path, id, workspace or command"
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
      <ChoiceList id={listId} choices={choices} current={current} onPoint={setPosition} onRun={run} />
      {choices.length === 0 ? (
        <p className="finder-none">
          No match in the folders opened so far. Start with “/” to browse all folders.
        </p>
      ) : null}
    </Dialog>
  );
}

function ChoiceList({
  id,
  choices,
  current,
  onPoint,
  onRun,
}: {
  readonly id: string;
  readonly choices: readonly Choice[];
  readonly current: number;
  readonly onPoint: (index: number) => void;
  readonly onRun: (choice: Choice) => void;
}): ReactElement {
  return (
    <div id={id} role="listbox" aria-label="Results" className="finder-list">
      {choices.map((choice, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field, which points at the current choice
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
        <div
          key={choice.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === current}
          onMouseMove={() => onPoint(index)}
          onClick={() => onRun(choice)}
        >
          <Icon of={choice.icon} />
          {choice.path === undefined ? (
            <span className="ellipsis">{choice.text}</span>
          ) : (
            <PathText path={choice.path} />
          )}
          {choice.side === undefined ? null : <span className="end">{choice.side}</span>}
        </div>
      ))}
    </div>
  );
}

/** A ref, not an effect: letters typed immediately after opening must not get lost. */
function focusAtOnce(field: HTMLInputElement | null): void {
  field?.focus();
}

function useChoices(query: string, onKeys: () => void): readonly Choice[] {
  const status = useStatus();
  const [, navigate] = useLocation();
  const workspaces = status?.workspaces ?? [];
  const { workspace } = useChosenWorkspace(workspaces);
  const text = query.toLowerCase();
  const commands = useCommands();
  const choices: readonly Choice[] = [
    ...screens.map((screen) => ({
      id: screen.id,
      icon: screen.icon,
      text: screen.name,
      side: `G ${screen.key.toUpperCase()}`,
      run: () => navigate(`/${screen.id}`),
    })),
    ...commands,
    {
      id: 'new-mirror',
      icon: 'addFolder',
      text: 'Mirror a folder…',
      run: () => navigate('/overview?new=mirror'),
    },
    ...settingsSections.map(
      ({ id, text }): Choice => ({
        id: `settings-${id}`,
        icon: 'settings',
        text,
        run: () => navigate(`/settings/${id}`),
      }),
    ),
    { id: 'first-run', icon: 'mooring', text: 'Open setup', run: () => navigate('/first-run') },
    { id: 'keys', icon: 'keyboard', text: 'Keyboard shortcuts', side: '?', run: onKeys },
    { id: 'light', icon: 'light', text: 'Light theme', run: () => setTheme('light') },
    { id: 'dark', icon: 'dark', text: 'Dark theme', run: () => setTheme('dark') },
    { id: 'system', icon: 'system', text: 'System theme', run: () => setTheme('system') },
    ...workspaces.map(
      (each): Choice => ({
        id: each.workspaceId,
        icon: 'workspace',
        text: each.name,
        side: each.workspaceId,
        run: () => {
          rememberWorkspace(each.workspaceId);
          navigate(filesHref(each.workspaceId, '/', 'dir'));
        },
      }),
    ),
  ];
  const entries = choices.filter(
    (choice) => choice.text.toLowerCase().includes(text) || choice.id.toLowerCase().startsWith(text || '\n'),
  );
  const paths = usePaths(workspace?.workspaceId ?? null, query, navigate);
  const byId = useIdChoice(query, workspace?.workspaceId ?? null);
  if (byId !== null) return [byId];
  return query.startsWith('/') ? paths : [...(text === '' ? entries.slice(0, 12) : entries), ...paths];
}

const settingsSections = [
  { id: 'workspaces', text: 'Workspaces and mirrors' },
  { id: 'tokens', text: 'Access tokens' },
  { id: 'providers', text: 'Providers' },
  { id: 'api', text: 'API address and examples' },
  { id: 'app', text: 'App, limits and retention' },
  { id: 'diagnostics', text: 'Diagnostics' },
] as const;

/** A pasted id opens its screen, in the workspace that contains it. null: not an id. */
function useIdChoice(query: string, workspaceId: string | null): Choice | null {
  const { client } = useServices();
  const workspaces = useStatus()?.workspaces ?? [];
  const [, navigate] = useLocation();
  const found = pastedId(query);
  const screen = screens.find((each) => each.id === found?.screenId);
  if (found === null || screen === undefined || workspaceId === null) return null;
  const open = async (): Promise<void> => {
    try {
      const others = workspaces.map((each) => each.workspaceId).filter((id) => id !== workspaceId);
      const owner = await workspaceOfId(client, found, [workspaceId, ...others]);
      if (owner === null) announce(`${found.id} not found in any workspace.`);
      const workspace = owner ?? workspaceId;
      rememberWorkspace(workspace);
      navigate(screenHref(screen.id, found.id, { workspace }));
    } catch (error) {
      announce(describeError(error));
    }
  };
  return {
    id: found.id,
    icon: screen.icon,
    text: `${found.name} ${found.id}`,
    side: screen.name,
    run: () => void open(),
  };
}

function usePaths(
  workspaceId: string | null,
  query: string,
  navigate: (to: string) => void,
): readonly Choice[] {
  const store = useFolders(workspaceId ?? '');
  const folder = query.startsWith('/') ? (query.length > 1 ? parentOf(query) : '/') : null;
  useOpenFolder(store, workspaceId === null ? null : folder);
  if (workspaceId === null || query === '') return [];
  return matches(store, folder, query).map((entry) => ({
    id: `path:${entry.path}`,
    icon: entry.type === 'dir' ? ('folder' as const) : ('file' as const),
    text: entry.path,
    path: entry.path,
    ...(entry.type === 'dir' ? { completesTo: `${entry.path}/`, side: 'Tab to open' } : {}),
    run: () => navigate(filesHref(workspaceId, entry.path, entry.type)),
  }));
}

function matches(
  store: FolderStore,
  folder: string | null,
  query: string,
): ReturnType<FolderStore['search']> {
  const text = query.toLowerCase();
  if (folder === null) return store.search(text, pathsMax);
  const entries = store.view(folder)?.entries ?? [];
  return entries.filter((entry) => entry.path.toLowerCase().startsWith(text)).slice(0, pathsMax);
}
