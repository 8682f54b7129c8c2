// What is on its way to providers, and what will be sent? By provider; the address holds filter, text and selection.
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
  readonly kind: BulkAction;
  readonly operations: readonly Operation[];
}

function WorkspaceWriteback({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { workspaceId } = workspace;
  const place = useScreenLocation('writeback');
  const narrowing = filterAt(place);
  const isNarrowed = narrowing.filter !== 'all' || narrowing.text !== '';
  const disabledReason = useDisabledReason();
  const found = useOperations(workspaceId, narrowing);
  const { outbound, providers, operations } = found;
  const selection = useSelection(found.shown, idOf);
  const filterField = useRef<HTMLInputElement>(null);
  const listFocus = useRef<((begin: boolean) => void) | null>(null);
  const [asking, setAsking] = useState<Asking | null>(null);
  const ask = (kind: BulkAction, of: readonly Operation[]): void => {
    const fit = applicableTo(kind, of);
    if (fit.length > 0 && disabledReason === null) setAsking({ kind, operations: fit });
  };
  const selected = operations.find((each) => each.opId === place.selected);
  const deadLettered = operations.filter((each) => each.status === 'dead_lettered');
  const close = (): void => place.go({ selected: null });
  useKeys({
    '/': () => filterField.current?.select(),
    ...keysIntoList(() => listFocus.current?.(true)),
    x: () => selected !== undefined && selection.toggle(selected.opId),
    'mod+a': selection.all,
    ...(selection.rows.length === 0 ? {} : { r: () => ask('retry', selection.rows) }),
    c: () => selected !== undefined && void copyText(selected.opId, 'the operation’s id'),
    Escape: () => {
      if (selection.rows.length > 0) selection.clear();
      else if (place.selected !== null && document.activeElement?.closest('.list') !== null) close();
      else listFocus.current?.(false);
    },
  });
  return (
    <div className={place.selected === null ? 'outbound' : 'outbound with-detail'}>
      <WritebackHead
        workspaceName={workspace.name}
        failed={deadLettered.length}
        onRetry={() => ask('retry', deadLettered)}
      />
      <WritebackFilters
        narrowing={narrowing}
        operations={outbound.data === undefined ? null : operations}
        go={place.go}
        filterField={filterField}
        onLeave={(begin) => listFocus.current?.(begin)}
      />
      <OperationsPane
        workspace={workspace}
        found={found}
        isNarrowed={isNarrowed}
        place={place}
        selection={selection}
        focusHandle={listFocus}
        onAsk={ask}
      />
      <WritebackDetail
        key={place.selected}
        workspaceId={workspaceId}
        opId={place.selected}
        listed={selected}
        provider={providers.data?.providers.find((each) => each.provider === selected?.provider) ?? null}
        keysOff={selection.rows.length > 0}
        view={place.field('view')}
        onView={(view) => place.go({ fields: { view: view === 'changes' ? '' : view }, replace: true })}
        onClose={close}
      />
      {asking === null ? null : (
        <BulkDialog
          workspaceId={workspaceId}
          kind={asking.kind}
          operations={asking.operations}
          onDone={selection.clear}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  );
}

const idOf = (operation: Operation): string => operation.opId;
