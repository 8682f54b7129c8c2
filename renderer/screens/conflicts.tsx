// Which version do I want? Files of which the folder and the workspace hold two versions; both are kept until somebody chooses.
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, type RefObject, useRef } from 'react';
import type { Conflict } from '../../server/contract/conflicts.ts';
import type { Workspace } from '../../server/contract/workspaces.ts';
import { useLiveRefresh } from '../api/use-live-refresh.ts';
import { useKeys } from '../keys.ts';
import { useScreenLocation } from '../location/screen-location.ts';
import { nameOf } from '../model/files/path.ts';
import { plural } from '../model/format.ts';
import { choiceDone } from '../model/mirror/conflict-view.ts';
import { copyText } from '../parts/buttons/copy.tsx';
import { LoadError } from '../parts/feedback/failed-reading.tsx';
import { Icon } from '../parts/feedback/icon.tsx';
import { focusReadingRegion } from '../parts/feedback/reading-region.tsx';
import { runWithUndo, useHidden } from '../parts/feedback/undo.tsx';
import { OneWorkspace } from '../parts/fields/one-workspace.tsx';
import { keysIntoList } from '../parts/tables/list-keys.ts';
import { LoadingRows, WorkList } from '../parts/tables/work-list.tsx';
import { ConflictCells } from './conflicts/cells.tsx';
import { ConflictDetail, type ConflictKeys, type Resolve } from './conflicts/detail.tsx';
import { conflictsKey, useConflicts } from './conflicts/queries.ts';

export function ConflictsScreen(): ReactElement {
  return (
    <OneWorkspace title="Conflicts">
      {(workspace) => <WorkspaceConflicts key={workspace.workspaceId} workspace={workspace} />}
    </OneWorkspace>
  );
}

function WorkspaceConflicts({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { workspaceId } = workspace;
  const place = useScreenLocation('conflicts');
  const { selected, go } = place;
  const queries = useQueryClient();
  const list = useConflicts(workspaceId);
  useLiveRefresh(workspaceId, conflictsKey(workspaceId));
  const { hidden, hide, show } = useHidden();
  const listFocus = useRef<((begin: boolean) => void) | null>(null);
  const actions = useRef<ConflictKeys | null>(null);
  const rows = (list.data ?? []).filter((each) => !hidden.has(each.conflictId));
  const open = rows.find((each) => each.conflictId === selected);

  const resolve: Resolve = (conflict, choice, run) => {
    const at = rows.indexOf(conflict);
    const next = rows[at + 1] ?? rows[at - 1] ?? null;
    hide(conflict.conflictId);
    go({ selected: next?.conflictId ?? null, replace: true });
    runWithUndo({
      text: `${choiceDone[choice]}: ${nameOf(conflict.path)}.`,
      run: async () => {
        await run();
        await queries.invalidateQueries({ queryKey: conflictsKey(workspaceId) });
      },
      restore: () => {
        show(conflict.conflictId);
        void queries.invalidateQueries({ queryKey: conflictsKey(workspaceId) });
        go({ selected: conflict.conflictId });
      },
    });
    requestAnimationFrame(() => listFocus.current?.(false));
  };
  useKeys({
    ...keysIntoList(() => listFocus.current?.(true)),
    c: () => open !== undefined && void copyText(open.path, 'the path'),
    '1': () => actions.current?.keep('folder'),
    '2': () => actions.current?.keep('workspace'),
    '3': () => actions.current?.keep('both'),
    m: () => actions.current?.merge(),
    Escape: () => {
      if (selected !== null && document.activeElement?.closest('.list') !== null) go({ selected: null });
      else listFocus.current?.(false);
    },
  });
  return (
    <div className="work">
      <header className="work-head">
        <h1>Conflicts</h1>
        <span className="soft ellipsis">
          {list.data === undefined
            ? ''
            : rows.length === 0
              ? 'None'
              : `${plural(rows.length, 'file')} with two versions in ${workspace.name}`}
        </span>
      </header>
      <div className={selected === null ? 'work-panes conflicts' : 'work-panes conflicts with-detail'}>
        <section className="pane list" aria-label="Conflicts">
          <ConflictRows
            list={list}
            rows={rows}
            openId={selected}
            listFocus={listFocus}
            workspaceId={workspaceId}
            onOpen={(conflictId) => go({ selected: conflictId, replace: selected !== null })}
          />
          {rows.length === 0 ? null : (
            <div className="pane-foot">
              A conflict holds up no other file. Both versions are kept until you choose.
            </div>
          )}
        </section>
        <section className="pane detail" aria-label="Conflict">
          {selected === null ? (
            <div className="empty unselected">
              <p>No conflict is selected. J and K, or the arrows, move through the list; Enter opens.</p>
            </div>
          ) : (
            <ConflictDetail
              key={selected}
              workspaceId={workspaceId}
              conflictId={selected}
              listed={open ?? null}
              view={place.field('view')}
              actions={actions}
              onView={(view) => go({ fields: { view: view === 'sides' ? '' : view }, replace: true })}
              onResolve={resolve}
              onClose={() => go({ selected: null })}
            />
          )}
        </section>
      </div>
    </div>
  );
}

function ConflictRows({
  list,
  rows,
  openId,
  listFocus,
  workspaceId,
  onOpen,
}: {
  readonly list: ReturnType<typeof useConflicts>;
  readonly rows: readonly Conflict[];
  readonly openId: string | null;
  readonly listFocus: RefObject<((begin: boolean) => void) | null>;
  readonly workspaceId: string;
  readonly onOpen: (conflictId: string) => void;
}): ReactElement {
  if (list.data === undefined) {
    if (list.error === null) return <LoadingRows rowPx={48} />;
    return (
      <div className="binary">
        <LoadError
          error={list.error}
          path={workspaceId}
          retry="By itself, every 5 s."
          onAgain={() => void list.refetch()}
        />
      </div>
    );
  }
  if (rows.length === 0) return <NoConflicts />;
  return (
    <WorkList
      label="Conflicts"
      rows={rows}
      idOf={(row) => row.conflictId}
      openId={openId}
      rowPx={48}
      columns={2}
      complete
      rowClass="conflict-row"
      focusHandle={listFocus}
      onOpen={(row) => onOpen(row.conflictId)}
      onEnter={(row) => {
        onOpen(row.conflictId);
        focusReadingRegion();
      }}
    >
      {(row) => <ConflictCells conflict={row} />}
    </WorkList>
  );
}

function NoConflicts(): ReactElement {
  return (
    <div className="empty">
      <h2>
        <Icon of="fine" />
        No conflicts
      </h2>
      <p>
        When a file changes in the folder and in the workspace before either change has reached the other
        side, lines that do not touch are merged by themselves. Where they do, both versions are kept: the
        workspace’s under its name, the folder’s in a dated copy beside it. They wait here for your choice.
      </p>
    </div>
  );
}
