// A folder of this computer: typed, with completion, or chosen in a dialog of the desktop app. Below it, what mirroring it means.
import { type HTMLAttributes, type KeyboardEvent, type ReactElement, useId, useState } from 'react';
import { desktop } from '../../api/desktop.ts';
import { useNewFolder } from '../../api/new-folder.ts';
import { describeError } from '../../api/services.ts';
import { commonBegin, isAbsoluteDir } from '../../model/files/path.ts';
import { Button } from '../buttons/button.tsx';
import { announceFailure } from '../feedback/answers.ts';
import { FolderProposals } from './folder-proposals.tsx';

interface FolderInputProps {
  readonly wiring: Pick<HTMLAttributes<HTMLElement>, 'id' | 'aria-describedby' | 'aria-invalid'>;
  readonly dir: string;
  readonly onChange: (dir: string) => void;
}

export function FolderInput({ wiring, dir, onChange }: FolderInputProps): ReactElement {
  const bridge = desktop();
  const listId = useId();
  const list = useProposals(dir, onChange);
  const choose = async (): Promise<void> => {
    try {
      const chosen = await bridge?.chooseFolder({ title: 'Mirror a folder', startIn: dir });
      if (typeof chosen === 'string') onChange(chosen);
    } catch (error) {
      announceFailure(describeError(error));
    }
  };
  const isOpen = list.proposals.length > 0;
  return (
    <div className="folder-input">
      <span className="row">
        <input
          {...wiring}
          className="input mono"
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          {...(list.active === null ? {} : { 'aria-activedescendant': `${listId}-${list.active}` })}
          value={dir}
          placeholder="~/notes"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            list.open();
            onChange(event.target.value);
          }}
          onKeyDown={list.onKeyDown}
          onBlur={list.close}
        />
        {bridge === null ? null : <Button onClick={() => void choose()}>Choose…</Button>}
      </span>
      {isOpen ? (
        <FolderProposals
          id={listId}
          proposals={list.proposals}
          active={list.active}
          onChoose={list.complete}
        />
      ) : null}
    </div>
  );
}

/** The list below the field: opened by typing, closed by Escape, by leaving the field, and when nothing completes the path. */
function useProposals(dir: string, onChange: (dir: string) => void) {
  const { data } = useNewFolder(dir);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState<number | null>(null);
  const close = (): void => {
    setOpen(false);
    setActive(null);
  };
  const proposals = isOpen && data !== undefined ? data.proposals.filter((each) => goesOn(each, dir)) : [];
  const complete = (proposal: string): void => {
    onChange(`${proposal}/`);
    setActive(null);
    setOpen(true);
  };
  const move = (by: 1 | -1): void => {
    const from = active ?? (by === 1 ? -1 : 0);
    setActive((from + by + proposals.length) % proposals.length);
  };
  /** What Tab completes: the chosen proposal, else what all have in common; null: Tab leaves the field. */
  const completion = (): (() => void) | null => {
    const chosen = active === null ? undefined : proposals[active];
    if (chosen !== undefined) return () => complete(chosen);
    // A folder that is there may be meant, also where others begin with its name.
    if (data?.typed !== dir || (data.kind === 'folder' && !dir.endsWith('/'))) return null;
    const [only] = proposals;
    if (only !== undefined && proposals.length === 1) return () => complete(only);
    const common = commonBegin(proposals);
    return common.length > dir.length ? () => onChange(common) : null;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || proposals.length === 0) {
      if (event.key === 'ArrowDown' && !event.altKey) setOpen(true);
      return;
    }
    const chosen = active === null ? undefined : proposals[active];
    const act =
      event.key === 'ArrowDown'
        ? () => move(1)
        : event.key === 'ArrowUp'
          ? () => move(-1)
          : event.key === 'Escape'
            ? close
            : event.key === 'Tab' && !event.shiftKey
              ? completion()
              : event.key === 'Enter' && chosen !== undefined
                ? () => complete(chosen)
                : null;
    if (act === null) return;
    event.preventDefault();
    // The dialog around the field must not close.
    event.stopPropagation();
    act();
  };
  const shownActive = active !== null && active < proposals.length ? active : null;
  return { proposals, active: shownActive, open: () => setOpen(true), close, complete, onKeyDown };
}

/** A proposal of the path before may not fit the one that is typed meanwhile. */
function goesOn(proposal: string, dir: string): boolean {
  return proposal.length > dir.length && proposal.toLowerCase().startsWith(dir.toLowerCase());
}

/** Why the path is invalid; null: valid as far as the page knows. */
export function dirProblem(dir: string): string | null {
  if (dir === '') return 'Enter a folder.';
  if (/^~(?:[\\/]|$)/.test(dir) || isAbsoluteDir(dir)) return null;
  return 'Enter an absolute path: it starts with “/”, “~/” or a drive such as “C:\\”.';
}
