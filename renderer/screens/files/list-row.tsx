// One row of a folder. It lights up for a moment when a live event changes it.
import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { PathState } from '../../../sdk/index.ts';
import type { TreeEntry } from '../../../server/contract/files.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { size } from '../../model/format.ts';
import { nameOf } from '../../model/path.ts';
import { shownSize } from '../../model/stored-size.ts';
import { Icon } from '../../parts/icon.tsx';
import { PathStatus } from '../../parts/path-status.tsx';
import { Time } from '../../parts/time.tsx';

export function ListRow({
  entry,
  index,
  startPx,
  selected,
  tabStop,
  state,
  mirrors,
  onSelect,
  onEnter,
}: {
  readonly entry: TreeEntry;
  readonly index: number;
  readonly startPx: number;
  readonly selected: boolean;
  readonly tabStop: boolean;
  /** undefined: it is not known yet, or no mirror shows it. */
  readonly state: PathState | undefined;
  readonly mirrors: readonly Mirror[];
  readonly onSelect: () => void;
  readonly onEnter: () => void;
}): ReactElement {
  const isFolder = entry.type === 'dir';
  const fresh = useFresh(entry.revision);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-selected={selected}
      tabIndex={tabStop ? 0 : -1}
      data-index={index}
      className={`list-row${mirrors.length > 0 ? ' mirrored' : ''}${fresh ? ' fresh' : ''}`}
      style={{ transform: `translateY(${startPx}px)` }}
      onClick={isFolder ? onEnter : onSelect}
    >
      {/* biome-ignore-start lint/a11y/useSemanticElements: see the grid */}
      {/* biome-ignore-start lint/a11y/useFocusableInteractive: the row is the stop, not its cells */}
      <span role="gridcell" className="list-name">
        <Icon of={isFolder ? 'folder' : 'file'} small />
        <span className="mono ellipsis" title={entry.path}>
          {nameOf(entry.path)}
        </span>
      </span>
      <span role="gridcell" className="number soft-cell">
        {isFolder ? '' : size(shownSize(entry))}
      </span>
      <span role="gridcell" className="soft-cell">
        {entry.updatedAt === undefined ? '' : <Time at={entry.updatedAt} as="age" />}
      </span>
      <span role="gridcell" className="mono soft-cell ellipsis">
        {isFolder ? '' : entry.revision}
      </span>
      {mirrors.length === 0 ? null : (
        <span role="gridcell" className="ellipsis">
          <PathStatus state={state} mirrors={mirrors} />
        </span>
      )}
      {/* biome-ignore-end lint/a11y/useFocusableInteractive: see above */}
      {/* biome-ignore-end lint/a11y/useSemanticElements: see above */}
    </div>
  );
}

const freshMs = 1_600;

/** true for a moment after the revision changed while the row was shown. */
function useFresh(revision: string): boolean {
  const before = useRef(revision);
  const [fresh, setFresh] = useState(false);
  useEffect(() => {
    if (before.current === revision) return;
    before.current = revision;
    setFresh(true);
    const timer = setTimeout(() => setFresh(false), freshMs);
    return () => clearTimeout(timer);
  }, [revision]);
  return fresh;
}
