// The Runs screen: work on a copy of a workspace, reviewed, committed wholly or in part, discarded, or undone as one. The URL holds
// the open run and file.
import { type ReactElement, useRef, useState } from 'react';
import type { Workspace } from '../../server/contract/workspaces.ts';
import { useRuns } from '../api/runs.ts';
import { useDisabledReason } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import { useScreenLocation } from '../location/screen-location.ts';
import { type RunRow, runRows } from '../model/runs/run-view.ts';
import { Button } from '../parts/buttons/button.tsx';
import { OneWorkspace } from '../parts/fields/one-workspace.tsx';
import { DetailPane } from '../parts/tables/detail-head.tsx';
import { isListCovered } from '../parts/tables/list-keys.ts';
import type { FocusHandle } from '../parts/tables/work-list.tsx';
import { RunDetail } from './runs/detail.tsx';
import { RunList } from './runs/list.tsx';
import { NewRunDialog } from './runs/new-run-dialog.tsx';

export function RunsScreen(): ReactElement {
  return (
    <OneWorkspace title="Runs">
      {(workspace) => <WorkspaceRuns key={workspace.workspaceId} workspace={workspace} />}
    </OneWorkspace>
  );
}

function WorkspaceRuns({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { workspaceId } = workspace;
  const { selected, go, field } = useScreenLocation('runs');
  const query = useRuns(workspaceId);
  const rows = runRows(query.data ?? []);
  const open = openRun(rows, selected);
  const listFocus: FocusHandle = useRef(null);
  const fileFocus: FocusHandle = useRef(null);
  const disabledReason = useDisabledReason();
  const [isCreating, setCreating] = useState(false);
  const close = (): void => go({ selected: null, fields: { file: '' } });
  useKeys({
    j: () => (fileFocus.current ?? listFocus.current)?.(true),
    k: () => (fileFocus.current ?? listFocus.current)?.(true),
    n: () => disabledReason === null && setCreating(true),
    ArrowDown: () => listFocus.current?.(true),
    ArrowUp: () => listFocus.current?.(true),
    Escape: () => {
      const inFiles = document.activeElement?.closest('.run-files, .pane.list') != null;
      if ((inFiles || fileFocus.current === null) && isListCovered()) close();
      (inFiles ? listFocus : fileFocus).current?.(false);
    },
  });
  return (
    <div className="work">
      <header className="work-head">
        <h1>Runs</h1>
        <span className="soft ellipsis grow">Work on a copy, commit what you want to keep</span>
        <Button icon="add" shortcut="N" disabledReason={disabledReason} onClick={() => setCreating(true)}>
          New run…
        </Button>
      </header>
      <div className={selected === null ? 'work-panes runs' : 'work-panes runs with-detail'}>
        <RunList
          workspace={workspace}
          query={query}
          rows={rows}
          openId={open?.id ?? null}
          listFocus={listFocus}
          onOpen={(runId) => go({ selected: runId, fields: { file: '' }, replace: selected !== null })}
          onEnter={() => fileFocus.current?.(true)}
        />
        <DetailPane label="Run" openId={open?.id ?? null}>
          {() =>
            open === null ? null : (
              <RunDetail
                key={open.id}
                run={open.run}
                file={field('file')}
                isSideBySide={field('view') === 'sides'}
                fileFocus={fileFocus}
                onFile={(path) => go({ selected: open.id, fields: { file: path }, replace: true })}
                onView={(view) => go({ fields: { view: view === 'sides' ? 'sides' : '' }, replace: true })}
                onClose={close}
              />
            )
          }
        </DetailPane>
      </div>
      {isCreating ? (
        <NewRunDialog
          workspaceId={workspaceId}
          onCreated={(runId) => go({ selected: runId, fields: { file: '' } })}
          onClose={() => setCreating(false)}
        />
      ) : null}
    </div>
  );
}

type OpenRow = Extract<RunRow, { readonly kind: 'run' }>;

/** The first run is open until another one is. */
function openRun(rows: readonly RunRow[], selected: string | null): OpenRow | null {
  const runs = rows.filter((row) => row.kind === 'run');
  return runs.find(({ id }) => id === selected) ?? runs[0] ?? null;
}
