// The list of operations, newest first; scrolling loads older ones.
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactElement, RefObject } from 'react';
import type { Operation, OperationPage } from '../../../sdk/index.ts';
import { describeError, useDisabledReason } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import { type OperationColumn, operationColumns, tookMsOf } from '../../model/outbound/operation-columns.ts';
import { span } from '../../model/outbound/operation-timeline.ts';
import { operationStatus, providerOf } from '../../model/outbound/outbound-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import type { RowAction } from '../../parts/buttons/row-menu.tsx';
import { EmptyList } from '../../parts/feedback/empty-list.tsx';
import { QueryError } from '../../parts/feedback/load-error.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { GridCell } from '../../parts/tables/grid.tsx';
import { MarkCell, type Selection, SelectionBar } from '../../parts/tables/selection.tsx';
import { useColumns } from '../../parts/tables/use-columns.ts';
import type { ColumnSorting } from '../../parts/tables/use-sort.ts';
import { LoadingRows, WorkList } from '../../parts/tables/work-list.tsx';

interface OperationListProps {
  readonly workspaceId: string;
  readonly list: UseInfiniteQueryResult<InfiniteData<OperationPage>>;
  readonly rows: readonly Operation[];
  readonly sorting: ColumnSorting<OperationColumn>;
  readonly actionsOf: (row: Operation) => readonly RowAction[];
  readonly openId: string | null;
  readonly selection: Selection<Operation>;
  /** Ids of the selected operations that can be replayed. */
  readonly replayable: readonly string[];
  readonly onReplay: () => void;
  readonly filtered: boolean;
  /** Plain saves are not listed. */
  readonly hidesPlainSaves: boolean;
  readonly onSaves: () => void;
  readonly onClear: () => void;
  readonly onLoadMore: () => void;
  readonly focusHandle: RefObject<((begin: boolean) => void) | null>;
  readonly onOpen: (opId: string) => void;
  readonly onEnter: () => void;
}

export function OperationList(props: OperationListProps): ReactElement {
  const { list, rows, openId, sorting, selection, focusHandle, onOpen, onEnter } = props;
  const layout = useColumns('operations', operationColumns);
  return (
    <section className="pane list" aria-label="Operations">
      {list.data === undefined && list.isError ? (
        <QueryError query={list} path={props.workspaceId} />
      ) : list.data === undefined || (rows.length === 0 && list.hasNextPage) ? (
        <LoadingRows rowPx={32} />
      ) : rows.length === 0 ? (
        <NoOperations {...props} />
      ) : (
        <WorkList
          label="Operations"
          rows={rows}
          idOf={(row) => row.opId}
          openId={openId}
          rowPx={32}
          columns={layout}
          sorting={sorting}
          selection={selection}
          actionsOf={props.actionsOf}
          complete={!list.hasNextPage}
          rowClass="operation-row"
          focusHandle={focusHandle}
          onOpen={(row) => onOpen(row.opId)}
          onEnter={(row) => {
            onOpen(row.opId);
            onEnter();
          }}
          onNearEnd={props.onLoadMore}
        >
          {(row) => (
            <OperationCells
              operation={row}
              marked={selection.marked.has(row.opId)}
              onMark={() => selection.toggle(row.opId)}
            />
          )}
        </WorkList>
      )}
      <OperationSelection {...props} />
      {rows.length === 0 || selection.rows.length > 0 ? null : (
        <div className="pane-foot">
          <span>
            {plural(rows.length, 'operation')}
            {list.hasNextPage ? ' loaded; scroll for older ones' : ''}
            {list.hasNextPage && sorting.sort !== null ? '. Only the loaded ones are sorted' : ''}
          </span>
          {list.isError ? <span>{describeError(list.error)}</span> : null}
        </div>
      )}
    </section>
  );
}

function NoOperations({
  filtered,
  hidesPlainSaves,
  onSaves,
  onClear,
}: Pick<OperationListProps, 'filtered' | 'hidesPlainSaves' | 'onSaves' | 'onClear'>): ReactElement {
  if (hidesPlainSaves) {
    return (
      <EmptyList icon="operations" title="No operations of providers">
        <p>
          Changes for registered providers appear here, and operations that failed. Plain saves, of paths
          without a provider, are in Activity.
        </p>
        <div className="row">
          <Button onClick={onSaves}>Show plain saves</Button>
        </div>
      </EmptyList>
    );
  }
  if (!filtered) {
    return (
      <EmptyList icon="operations" title="No operations yet">
        <p>Each write creates an operation. Save a file in a mirrored folder or write one through the API.</p>
      </EmptyList>
    );
  }
  return (
    <EmptyList icon="filter" title="No operations match">
      <p>The filters hide all operations.</p>
      <div className="row">
        <Button onClick={onClear}>Clear filters</Button>
      </div>
    </EmptyList>
  );
}

function OperationSelection({ selection, rows, replayable, onReplay }: OperationListProps): ReactElement {
  const disabledReason = useDisabledReason();
  const number = count(replayable.length);
  const others = selection.rows.length - replayable.length;
  return (
    <SelectionBar
      selection={selection}
      of={rows.length}
      {...(others === 0 ? {} : { note: `${count(others)} not dead-lettered` })}
    >
      <Button
        shortcut="R"
        disabledReason={
          disabledReason ??
          (replayable.length === 0 ? 'Only dead-lettered operations can be replayed.' : null)
        }
        onClick={onReplay}
      >
        {`Replay ${number}…`}
      </Button>
    </SelectionBar>
  );
}

function OperationCells({
  operation,
  marked,
  onMark,
}: {
  readonly operation: Operation;
  readonly marked: boolean;
  readonly onMark: () => void;
}): ReactElement {
  const tookMs = tookMsOf(operation);
  return (
    <>
      <MarkCell id={operation.opId} marked={marked} onToggle={onMark} />
      <GridCell className="ellipsis">
        <Status {...operationStatus(operation)} />
      </GridCell>
      <GridCell className="item-path">
        <PathText path={operation.path ?? ''} />
        {operation.action === 'file_delete' ? <span className="tag">delete</span> : null}
      </GridCell>
      <GridCell className="soft ellipsis">{providerOf(operation) || '–'}</GridCell>
      <GridCell className="soft number">
        <Time at={operation.createdAt} as="clock" />
      </GridCell>
      <GridCell className="soft number">{tookMs === null ? '' : span(tookMs)}</GridCell>
    </>
  );
}
