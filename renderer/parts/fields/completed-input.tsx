// A field for the path of a folder, with the folders that complete it below: arrows choose, Enter and Tab complete, Escape closes.
import {
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useState,
} from 'react';
import { commonBegin } from '../../model/files/path.ts';
import { FolderProposals } from './folder-proposals.tsx';

interface Completion {
  readonly value: string;
  /** They may be those of the text before. */
  readonly proposals: readonly string[];
  /** true: the proposals are those of this text, and it is not yet the name of a folder. */
  readonly isUnfinished: boolean;
  /** true: the proposals of this text are still asked for. */
  readonly isWaiting: boolean;
  readonly onChange: (value: string) => void;
}

export function CompletedInput({
  wiring,
  placeholder,
  children = null,
  ...completion
}: Completion & {
  readonly wiring: Pick<HTMLAttributes<HTMLElement>, 'id' | 'aria-describedby' | 'aria-invalid'>;
  readonly placeholder: string;
  /** Beside the field. */
  readonly children?: ReactNode;
}): ReactElement {
  const listId = useId();
  const list = useProposals(completion);
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
          value={completion.value}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            list.open();
            completion.onChange(event.target.value);
          }}
          onKeyDown={list.onKeyDown}
          onBlur={list.close}
        />
        {children}
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
function useProposals({ value, proposals: all, isUnfinished, isWaiting, onChange }: Completion) {
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState<number | null>(null);
  const close = (): void => {
    setOpen(false);
    setActive(null);
  };
  const proposals = isOpen ? all.filter((each) => completes(each, value)) : [];
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
    if (!isUnfinished) return null;
    const [only] = proposals;
    if (only !== undefined && proposals.length === 1) return () => complete(only);
    const common = commonBegin(proposals);
    return common.length > value.length ? () => onChange(common) : null;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // A list that is about to open counts as open: Escape must not close the dialog in its place.
    const hasList = proposals.length > 0 || (isOpen && isWaiting && event.key === 'Escape');
    if (event.ctrlKey || event.metaKey || event.altKey || !hasList) {
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
function completes(proposal: string, typed: string): boolean {
  return proposal.length > typed.length && proposal.toLowerCase().startsWith(typed.toLowerCase());
}
