// One row of a folder. It is highlighted briefly when a live event changes it.
import { type MouseEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import type { PathState } from '../../../../sdk/index.ts';
import type { TreeEntry } from '../../../../server/contract/files.ts';
import type { Mirror } from '../../../../server/contract/workspaces.ts';
import type { ActorView } from '../../../model/actor-view.ts';
import { nameOf } from '../../../model/files/path.ts';
import { shownSize } from '../../../model/files/stored-size.ts';
import { size } from '../../../model/format.ts';
import { Avatar } from '../../../parts/feedback/avatar.tsx';
import { Icon } from '../../../parts/feedback/icon.tsx';
import { PathStatus } from '../../../parts/feedback/path-status.tsx';
import { Time } from '../../../parts/feedback/time.tsx';
import { Checkbox } from '../../../parts/fields/checkbox.tsx';
import { GridCell, GridRow, type RowPosition } from '../../../parts/tables/grid.tsx';
import { entryAttributes } from '../change/drag-entries.ts';

export function ListRow({
  entry,
  position,
  state,
  actor,
  mirrors,
  isMarked,
  onMark,
  onClick,
}: {
  readonly entry: TreeEntry;
  readonly position: RowPosition;
  /** undefined: not loaded yet, or not mirrored. */
  readonly state: PathState | undefined;
  /** Of its last change; null: not loaded, or longer ago than is loaded. */
  readonly actor: ActorView | null;
  readonly mirrors: readonly Mirror[];
  /** null: no row is marked, so none has a box. */
  readonly isMarked: boolean | null;
  readonly onMark: () => void;
  readonly onClick: (event: MouseEvent) => void;
}): ReactElement {
  const isFolder = entry.type === 'dir';
  const isFresh = useRecentlyChanged(entry.revision);
  return (
    <GridRow
      position={position}
      className={`list-row${isFresh ? ' fresh' : ''}${isMarked ? ' marked' : ''}`}
      onClick={onClick}
    >
      <GridCell className="list-name">
        {isMarked === null ? null : (
          // biome-ignore lint/a11y/noStaticElementInteractions: the box takes the keys; a click on it is none on the row
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <span className="row" onClick={(event) => event.stopPropagation()}>
            <Checkbox label={`Select ${nameOf(entry.path)}`} checked={isMarked} isInRow onChange={onMark} />
          </span>
        )}
        <Icon of={isFolder ? 'folder' : 'file'} small />
        <span className="ellipsis" title={entry.path} {...entryAttributes(entry, true)}>
          {nameOf(entry.path)}
        </span>
        <PathStatus state={state} mirrors={mirrors} isQuiet />
      </GridCell>
      <GridCell className="number soft-cell">{isFolder ? '' : size(shownSize(entry))}</GridCell>
      <GridCell
        className="soft-cell list-changed"
        title={actor === null ? undefined : `Changed by ${actor.name}`}
      >
        {actor === null ? (
          <span className="no-avatar" />
        ) : (
          <>
            <Avatar of={actor} />
            <span className="reader-only">{actor.name} </span>
          </>
        )}
        {entry.updatedAt === undefined ? '' : <Time at={entry.updatedAt} as="age" />}
      </GridCell>
    </GridRow>
  );
}

const freshMs = 1_600;

/** true for a short time after the revision of a shown row changes. */
function useRecentlyChanged(revision: string): boolean {
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
