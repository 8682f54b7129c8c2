// The list of runs in groups: to review, without changes yet, ended.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Run } from '../../../sdk/index.ts';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { runsMax } from '../../api/runs.ts';
import { count, plural } from '../../model/format.ts';
import { changeCount, type RunRow, runName } from '../../model/runs/run-view.ts';
import { EmptyList } from '../../parts/feedback/empty-list.tsx';
import { QueryError } from '../../parts/feedback/load-error.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { GridCell } from '../../parts/tables/grid.tsx';
import { type FocusHandle, LoadingRows, WorkList } from '../../parts/tables/work-list.tsx';
import { RunStatus } from './run-status.tsx';

const headingPx = 30;
const runPx = 54;

interface RunListProps {
  readonly workspace: Workspace;
  readonly query: UseQueryResult<readonly Run[]>;
  readonly rows: readonly RunRow[];
  readonly openId: string | null;
  readonly listFocus: FocusHandle;
  readonly onOpen: (runId: string) => void;
  readonly onEnter: () => void;
}

export function RunList(props: RunListProps): ReactElement {
  const { query, rows, workspace } = props;
  return (
    <section className="pane list" aria-label="Runs">
      {query.data === undefined && query.isError ? (
        <QueryError query={query} path={workspace.workspaceId} retry="Retries automatically every 2 s" />
      ) : query.data === undefined ? (
        <LoadingRows rowPx={48} />
      ) : rows.length === 0 ? (
        <NoRuns />
      ) : (
        <Rows {...props} />
      )}
      {query.data?.length === runsMax ? (
        <div className="pane-foot">Newest {count(runsMax)} shown.</div>
      ) : null}
    </section>
  );
}

function Rows({ query, rows, openId, listFocus, onOpen, onEnter }: RunListProps): ReactElement {
  return (
    <WorkList
      label="Runs"
      rows={rows}
      idOf={(row) => row.id}
      openId={openId}
      rowPx={rowPx}
      columns={1}
      complete={(query.data?.length ?? 0) < runsMax}
      rowClass="run-row"
      headingOf={(row) =>
        row.kind === 'heading' ? (
          <>
            <b>{row.text}</b> <span className="soft">{row.runs}</span>
          </>
        ) : null
      }
      focusHandle={listFocus}
      onOpen={(row) => onOpen(row.id)}
      onEnter={onEnter}
    >
      {(row) => (row.kind === 'heading' ? null : <RunCells run={row.run} />)}
    </WorkList>
  );
}

function rowPx(row: RunRow): number {
  return row.kind === 'heading' ? headingPx : runPx;
}

function RunCells({ run }: { readonly run: Run }): ReactElement {
  const changes = changeCount(run);
  return (
    <GridCell className="run-cell">
      <span className="row">
        <b className="grow ellipsis" title={runName(run)}>
          {runName(run)}
        </b>
        <span className="faint">
          <Time at={run.endedAt ?? run.createdAt} as="age" />
        </span>
      </span>
      <span className="row">
        <RunStatus run={run} />
        <span className="end faint ellipsis">
          {changes === 0 ? run.createdBy : `${plural(changes, 'file')} · ${run.createdBy}`}
        </span>
      </span>
    </GridCell>
  );
}

function NoRuns(): ReactElement {
  return (
    <EmptyList icon="run" title="No runs yet">
      <p>
        A run works on a copy of the workspace. Its changes appear here for review: you commit all or some of
        them as one change, discard them, or undo them later.
      </p>
      <p>Create one with “New run…”, or let an agent begin one with the tool “changes”.</p>
    </EmptyList>
  );
}
