// The list of folders that complete a typed path.
import { type ReactElement, useEffect, useRef } from 'react';
import { Icon } from '../feedback/icon.tsx';

export function FolderProposals({
  id,
  proposals,
  active,
  onChoose,
}: {
  readonly id: string;
  readonly proposals: readonly string[];
  /** The number of the one that Enter takes. */
  readonly active: number | null;
  readonly onChoose: (proposal: string) => void;
}): ReactElement {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active !== null) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      id={id}
      className="folder-proposals"
      role="listbox"
      aria-label="Completions"
      tabIndex={-1}
    >
      {proposals.map((proposal, index) => (
        <div
          key={proposal}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // The field keeps the focus, and so its list.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(proposal)}
          onKeyDown={(event) => event.key === 'Enter' && onChoose(proposal)}
        >
          <Icon of="folder" small />
          <span className="mono ellipsis">{proposal}</span>
        </div>
      ))}
    </div>
  );
}
