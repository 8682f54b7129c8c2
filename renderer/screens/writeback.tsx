// Writeback: the operations of a workspace by provider. The address contains filter, text and selection.
import { type ReactElement, type RefObject, useRef, useState } from 'react';
import type { Operation } from '../../server/contract/operations.ts';
import type { Workspace } from '../../server/contract/workspaces.ts';
import { useDisabledReason } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import { type ScreenLocation, useScreenLocation } from '../location/screen-location.ts';
import { count } from '../model/format.ts';
import {
  filterNames,
  type OutboundFilter,
  outboundFilters,
  passesFilter,
} from '../model/outbound/outbound-view.ts';
import { Button } from '../parts/buttons/button.tsx';
import { copyText } from '../parts/buttons/copy.tsx';
import { FilterChips } from '../parts/fields/filter-chips.tsx';
import { FilterField } from '../parts/fields/filter-field.tsx';
import { OneWorkspace } from '../parts/fields/one-workspace.tsx';
import { closesDetail, keysIntoList } from '../parts/tables/list-keys.ts';
import { type Selection, useSelection } from '../parts/tables/selection.tsx';
import { useFirstSelected } from '../parts/tables/use-first-selected.ts';
import { detailMinPx, listPane, usePanes } from '../parts/tables/use-panes.tsx';
import { applicableTo, type BulkAction, BulkDialog } from './writeback/bulk-dialog.tsx';
import { WritebackDetail } from './writeback/detail.tsx';
import { OperationsPane } from './writeback/operations-pane.tsx';
import { filterAt, useOperations, type WritebackFilter } from './writeback/use-operations.ts';

export function WritebackScreen(): ReactElement {
  return (
    <OneWorkspace title="Writeback">
      {(workspace) => <WorkspaceWriteback key={workspace.workspaceId} workspace={workspace} />}
    </OneWorkspace>
  );
}

interface Asking {
  readonly action: BulkAction;
  readonly operations: readonly Operation[];
}

function WorkspaceWriteback({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { workspaceId } = workspace;
  const location = useScreenLocation('writeback');
  const filter = filterAt(location);
  const isFiltered = filter.state !== 'all' || filter.text !== '';
  const disabledReason = useDisabledReason();
  const loaded = useOperations(workspaceId, filter);
  const { outbound, providers, operations } = loaded;
  const selection = useSelection(loaded.shown, idOf);
  useFirstSelected(loaded.shown[0]?.opId ?? null, location.selected, (opId) =>
    location.go({ selected: opId, replace: true }),
  );
  const [asking, setAsking] = useState<Asking | null>(null);
  const ask = (action: BulkAction, candidates: readonly Operation[]): void => {
    const operations = applicableTo(action, candidates);
    if (operations.length > 0 && disabledReason === null) setAsking({ action, operations });
  };
  const selected = operations.find((each) => each.opId === location.selected);
  const deadLettered = operations.filter((each) => each.status === 'dead_lettered');
  const close = (): void => location.go({ selected: null });
  const panes = usePanes('writeback', listPane, detailMinPx);
  const { filterField, listFocus } = useWritebackKeys({ selected, location, selection, ask, close });
  return (
    <div
      ref={panes.frame}
      style={panes.style}
      className={location.selected === null ? 'outbound' : 'outbound with-detail'}
    >
      <WritebackHead
        workspaceName={workspace.name}
        failed={deadLettered.length}
        onRetry={() => ask('replay', deadLettered)}
      />
      <WritebackFilters
        filter={filter}
        operations={outbound.data === undefined ? null : operations}
        go={location.go}
        filterField={filterField}
        onLeave={(begin) => listFocus.current?.(begin)}
      />
      <OperationsPane
        workspace={workspace}
        loaded={loaded}
        isFiltered={isFiltered}
        location={location}
        selection={selection}
        focusHandle={listFocus}
        onAsk={ask}
      />
      <WritebackDetail
        key={location.selected}
        workspaceId={workspaceId}
        opId={location.selected}
        listed={selected}
        provider={providers.data?.providers.find((each) => each.provider === selected?.provider) ?? null}
        panes={panes}
        keysOff={selection.rows.length > 0}
        view={location.field('view')}
        onView={(view) => location.go({ fields: { view: view === 'changes' ? '' : view }, replace: true })}
        onClose={close}
      />
      {asking === null ? null : (
        <BulkDialog
          workspaceId={workspaceId}
          action={asking.action}
          operations={asking.operations}
          onDone={selection.clear}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  );
}

/** The keys of the screen, and their targets. */
function useWritebackKeys({
  selected,
  location,
  selection,
  ask,
  close,
}: {
  /** The open operation, if it is listed. */
  readonly selected: Operation | undefined;
  readonly location: ScreenLocation;
  readonly selection: Selection<Operation>;
  readonly ask: (action: BulkAction, candidates: readonly Operation[]) => void;
  readonly close: () => void;
}) {
  const filterField = useRef<HTMLInputElement>(null);
  const listFocus = useRef<((begin: boolean) => void) | null>(null);
  useKeys({
    '/': () => filterField.current?.select(),
    ...keysIntoList(() => listFocus.current?.(true)),
    x: () => selected !== undefined && selection.toggle(selected.opId),
    'mod+a': selection.all,
    ...(selection.rows.length === 0 ? {} : { r: () => ask('replay', selection.rows) }),
    c: () => selected !== undefined && void copyText(selected.opId, 'the operation id'),
    Escape: () => {
      if (selection.rows.length > 0) selection.clear();
      else if (location.selected !== null && closesDetail()) close();
      listFocus.current?.(false);
    },
  });
  return { filterField, listFocus };
}

const idOf = (operation: Operation): string => operation.opId;

function WritebackFilters({
  filter: { state, text },
  operations,
  go,
  filterField,
  onLeave,
}: {
  readonly filter: WritebackFilter;
  /** null: not loaded, so not counted. */
  readonly operations: readonly Operation[] | null;
  readonly go: ScreenLocation['go'];
  readonly filterField: RefObject<HTMLInputElement | null>;
  readonly onLeave: (begin: boolean) => void;
}): ReactElement {
  return (
    <div className="filter-bar">
      <FilterChips
        label="State"
        value={state}
        options={outboundFilters.map((each) => ({
          value: each,
          name: filterNames[each],
          ...(operations === null
            ? {}
            : { rowCount: operations.filter((operation) => passesFilter(operation, each)).length }),
        }))}
        onChange={(next: OutboundFilter) => go({ fields: { filter: next === 'all' ? '' : next } })}
      />
      <FilterField
        fieldRef={filterField}
        label="Path or operation id"
        position="end"
        value={text}
        onChange={(next) => go({ fields: { text: next }, replace: true })}
        onLeave={onLeave}
      />
    </div>
  );
}

function WritebackHead({
  workspaceName,
  failed,
  onRetry,
}: {
  readonly workspaceName: string;
  /** Number of dead-lettered operations. */
  readonly failed: number;
  readonly onRetry: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  return (
    <div className="screen-head">
      <h1>Writeback</h1>
      <span className="soft ellipsis">Operations of {workspaceName} by provider</span>
      {failed === 0 ? null : (
        <span className="end">
          <Button icon="replay" disabledReason={disabledReason} onClick={onRetry}>
            Retry {count(failed)} failed…
          </Button>
        </span>
      )}
    </div>
  );
}
