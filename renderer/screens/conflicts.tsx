// The Conflicts screen: files that the folder and the workspace both changed. Both versions are kept until one is chosen.
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, type RefObject, useRef } from 'react';
import type { Conflict } from '../../server/contract/conflicts.ts';
import type { Workspace } from '../../server/contract/workspaces.ts';
import { useLiveRefresh } from '../api/use-live-refresh.ts';
import { useKeys } from '../keys.ts';
import { useScreenLocation } from '../location/screen-location.ts';
import { plural } from '../model/format.ts';
import { choiceDone } from '../model/mirror/conflict-view.ts';
import { copyText } from '../parts/buttons/copy.tsx';
import { runWithUndo } from '../parts/feedback/answers.ts';
import { OneWorkspace } from '../parts/fields/one-workspace.tsx';
import { DetailPane } from '../parts/tables/detail-head.tsx';
import { closesDetail, keysIntoList } from '../parts/tables/list-keys.ts';
import { useFirstSelected } from '../parts/tables/use-first-selected.ts';
import { useHidden } from '../parts/tables/use-hidden.ts';
import { ConflictDetail } from './conflicts/detail.tsx';
import { ConflictList } from './conflicts/list.tsx';
import { conflictsKey, useConflicts } from './conflicts/queries.ts';
import type { ConflictKeys, Resolve } from './conflicts/use-resolution.ts';

type FocusList = RefObject<((begin: boolean) => void) | null>;

export function ConflictsScreen(): ReactElement {
  return (
    <OneWorkspace title="Conflicts">
      {(workspace) => <WorkspaceConflicts key={workspace.workspaceId} workspace={workspace} />}
    </OneWorkspace>
  );
}

function WorkspaceConflicts({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { workspaceId } = workspace;
  const { selected, go, field } = useScreenLocation('conflicts');
  const list = useConflicts(workspaceId);
  useLiveRefresh(workspaceId, conflictsKey(workspaceId));
  const listFocus: FocusList = useRef(null);
  const actions = useRef<ConflictKeys | null>(null);
  const { rows, resolve } = useResolve(workspaceId, list.data ?? [], go, listFocus);
  useFirstSelected(rows[0]?.conflictId ?? null, selected, (conflictId) =>
    go({ selected: conflictId, replace: true }),
  );
  const open = rows.find((each) => each.conflictId === selected) ?? null;
  useConflictKeys(open, actions, listFocus, () => {
    if (selected !== null && closesDetail()) go({ selected: null });
    listFocus.current?.(false);
  });
  const inWorkspace = rows.length === 0 ? 'None' : `${plural(rows.length, 'file')} in ${workspace.name}`;
  return (
    <div className="work">
      <header className="work-head">
        <h1>Conflicts</h1>
        <span className="soft ellipsis">{list.data === undefined ? '' : inWorkspace}</span>
      </header>
      <div className={selected === null ? 'work-panes conflicts' : 'work-panes conflicts with-detail'}>
        <section className="pane list" aria-label="Conflicts">
          <ConflictList
            list={list}
            rows={rows}
            openId={selected}
            listFocus={listFocus}
            workspaceId={workspaceId}
            onOpen={(conflictId) => go({ selected: conflictId, replace: selected !== null })}
          />
          {rows.length === 0 ? null : (
            <div className="pane-foot">The version you do not keep stays in history.</div>
          )}
        </section>
        <DetailPane label="Conflict" openId={selected}>
          {(conflictId) => (
            <ConflictDetail
              key={conflictId}
              workspaceId={workspaceId}
              conflictId={conflictId}
              listed={open}
              view={field('view')}
              actions={actions}
              onView={(view) => go({ fields: { view: view === 'sides' ? '' : view }, replace: true })}
              onResolve={resolve}
              onClose={() => go({ selected: null })}
            />
          )}
        </DetailPane>
      </div>
    </div>
  );
}

/** The rows without those being resolved, and the resolution of one, which can be undone. */
function useResolve(
  workspaceId: string,
  conflicts: readonly Conflict[],
  go: ReturnType<typeof useScreenLocation>['go'],
  listFocus: FocusList,
): { readonly rows: readonly Conflict[]; readonly resolve: Resolve } {
  const queries = useQueryClient();
  const { hidden, hide, show } = useHidden();
  const rows = conflicts.filter((each) => !hidden.has(each.conflictId));
  const refresh = () => queries.invalidateQueries({ queryKey: conflictsKey(workspaceId) });
  const resolve: Resolve = (conflict, choice, run) => {
    const index = rows.indexOf(conflict);
    const next = rows[index + 1] ?? rows[index - 1] ?? null;
    hide(conflict.conflictId);
    go({ selected: next?.conflictId ?? null, replace: true });
    runWithUndo({
      text: `${choiceDone[choice]}: ${conflict.path}.`,
      run: async () => {
        await run();
        await refresh();
      },
      restore: () => {
        show(conflict.conflictId);
        void refresh();
        go({ selected: conflict.conflictId });
      },
    });
    requestAnimationFrame(() => listFocus.current?.(false));
  };
  return { rows, resolve };
}

function useConflictKeys(
  open: Conflict | null,
  actions: RefObject<ConflictKeys | null>,
  listFocus: FocusList,
  onEscape: () => void,
): void {
  useKeys({
    ...keysIntoList(() => listFocus.current?.(true)),
    c: () => open !== null && void copyText(open.path, 'the path'),
    '1': () => actions.current?.keep('folder'),
    '2': () => actions.current?.keep('workspace'),
    '3': () => actions.current?.keep('both'),
    m: () => actions.current?.merge(),
    Escape: onEscape,
  });
}
