// The changed files of a run by folder, each with a box for the commit, and the difference of the open one beside them.
import type { ReactElement, ReactNode } from 'react';
import { useKeys } from '../../keys.ts';
import { nameOf } from '../../model/files/path.ts';
import { count, plural } from '../../model/format.ts';
import { type ChangeRow, changeLetters, changeRows, type RunChange } from '../../model/runs/run-changes.ts';
import type { LineCounts } from '../../model/text/unified-diff.ts';
import { Lines } from '../../parts/diff/line-counts.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { focusReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { Checkbox } from '../../parts/fields/checkbox.tsx';
import { GridCell } from '../../parts/tables/grid.tsx';
import { MarkCell } from '../../parts/tables/selection.tsx';
import { type FocusHandle, WorkList } from '../../parts/tables/work-list.tsx';

const rowPx = 30;

interface ChangedFilesProps {
  readonly changes: readonly RunChange[];
  readonly lines: ReadonlyMap<string, LineCounts>;
  readonly file: string;
  /** Paths that stay in the run; null: nothing can be chosen. */
  readonly excluded: ReadonlySet<string> | null;
  readonly focusHandle: FocusHandle;
  readonly onOpen: (path: string) => void;
  readonly onExclude: (excluded: ReadonlySet<string>) => void;
  readonly children: (change: RunChange) => ReactNode;
}

export function ChangedFiles(props: ChangedFilesProps): ReactElement {
  const { changes, file, excluded, focusHandle, onOpen, onExclude, children } = props;
  const rows = changeRows(changes);
  const files = rows.flatMap((row) => (row.kind === 'file' ? [row.change] : []));
  const open = files.find(({ path }) => path === file) ?? files[0];
  const toggle = (path: string): void => {
    if (excluded === null) return;
    const next = new Set(excluded);
    if (!next.delete(path)) next.add(path);
    onExclude(next);
  };
  useKeys({ x: () => open !== undefined && toggle(open.path) });
  return (
    <>
      <section className="pane run-files" aria-label="Changed files">
        <Totals {...props} />
        <WorkList
          label="Changed files"
          rows={rows}
          idOf={(row) => row.id}
          openId={open?.path ?? null}
          rowPx={rowPx}
          columns={excluded === null ? 2 : 3}
          complete
          rowClass={excluded === null ? 'change-row' : 'change-row with-box'}
          headingOf={(row) =>
            row.kind === 'heading' ? <span className="mono soft ellipsis">{row.text}</span> : null
          }
          focusHandle={focusHandle}
          onOpen={(row) => onOpen(row.id)}
          onEnter={focusReadingRegion}
        >
          {(row) => <ChangeCells row={row} {...props} onToggle={toggle} />}
        </WorkList>
      </section>
      <section className="pane run-file" aria-label="Changed file">
        {open === undefined ? null : children(open)}
      </section>
    </>
  );
}

function Totals({ changes, lines, excluded, onExclude }: ChangedFilesProps): ReactElement {
  const kept = excluded === null ? 0 : changes.filter(({ path }) => excluded.has(path)).length;
  const chosen = changes.length - kept;
  const counts = [...lines.values()];
  const total = (name: keyof LineCounts): number => counts.reduce((sum, each) => sum + each[name], 0);
  return (
    <div className="run-totals">
      {excluded === null ? null : (
        <Checkbox
          label="Choose all files"
          checked={kept === 0}
          isPartial={kept > 0 && chosen > 0}
          onChange={() => onExclude(new Set(kept === 0 ? changes.map(({ path }) => path) : []))}
        />
      )}
      <b className="grow ellipsis">
        {kept === 0
          ? plural(changes.length, 'file')
          : `${count(chosen)} of ${plural(changes.length, 'file')}`}
      </b>
      {counts.length === 0 ? null : <Lines of={{ added: total('added'), removed: total('removed') }} />}
    </div>
  );
}

function ChangeCells({
  row,
  lines,
  excluded,
  onToggle,
}: ChangedFilesProps & {
  readonly row: ChangeRow;
  readonly onToggle: (path: string) => void;
}): ReactElement | null {
  if (row.kind === 'heading') return null;
  const { path, kind, isMoved } = row.change;
  const counts = lines.get(path);
  return (
    <>
      {excluded === null ? null : (
        <MarkCell id={path} marked={!excluded.has(path)} onToggle={() => onToggle(path)} />
      )}
      <GridCell className="row change-name" title={path}>
        <span className={`change-letter ${kind}`} aria-hidden="true">
          {changeLetters[kind]}
        </span>
        <span className="reader-only">{kind}: </span>
        <span className="mono ellipsis">{nameOf(path)}</span>
        {isMoved ? (
          <span className="status warn" title="Changed in the workspace since">
            <Icon of="conflict" small />
            <span className="reader-only">changed in the workspace since</span>
          </span>
        ) : null}
      </GridCell>
      <GridCell className="number">{counts === undefined ? '' : <Lines of={counts} />}</GridCell>
    </>
  );
}
