// Writeback: the operations of a workspace by provider. The address contains filter, text and selection.
import { type ReactElement, useRef, useState } from 'react';
import type { Operation } from '../../server/contract/operations.ts';
import type { Workspace } from '../../server/contract/workspaces.ts';
import { useDisabledReason } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import { useScreenLocation } from '../location/screen-location.ts';
import { copyText } from '../parts/buttons/copy.tsx';
import { OneWorkspace } from '../parts/fields/one-workspace.tsx';
import { keysIntoList } from '../parts/tables/list-keys.ts';
import { useSelection } from '../parts/tables/selection.tsx';
import { applicableTo, type BulkAction, BulkDialog } from './writeback/bulk-dialog.tsx';
import { WritebackDetail } from './writeback/detail.tsx';
import { WritebackFilters } from './writeback/filters.tsx';
import { WritebackHead } from './writeback/head.tsx';
import { OperationsPane } from './writeback/operations-pane.tsx';
import { filterAt, useOperations } from './writeback/use-operations.ts';

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
  const filterField = useRef<HTMLInputElement>(null);
  const listFocus = useRef<((begin: boolean) => void) | null>(null);
  const [asking, setAsking] = useState<Asking | null>(null);
  const ask = (action: BulkAction, candidates: readonly Operation[]): void => {
    const operations = applicableTo(action, candidates);
    if (operations.length > 0 && disabledReason === null) setAsking({ action, operations });
  };
  const selected = operations.find((each) => each.opId === location.selected);
  const deadLettered = operations.filter((each) => each.status === 'dead_lettered');
  const close = (): void => location.go({ selected: null });
  useKeys({
    '/': () => filterField.current?.select(),
    ...keysIntoList(() => listFocus.current?.(true)),
    x: () => selected !== undefined && selection.toggle(selected.opId),
    'mod+a': selection.all,
    ...(selection.rows.length === 0 ? {} : { r: () => ask('replay', selection.rows) }),
    c: () => selected !== undefined && void copyText(selected.opId, 'the operation id'),
    Escape: () => {
      if (selection.rows.length > 0) selection.clear();
      else if (location.selected !== null && document.activeElement?.closest('.list') !== null) close();
      else listFocus.current?.(false);
    },
  });
  return (
    <div className={location.selected === null ? 'outbound' : 'outbound with-detail'}>
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

const idOf = (operation: Operation): string => operation.opId;
