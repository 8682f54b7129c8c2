// Operations: all operations of a workspace, newest first, each with its timeline.
import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Operation } from '../../sdk/index.ts';
import { useDisabledReason, useServices } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import { filesHref } from '../location/app-location.ts';
import { type ScreenLocation, useScreenLocation } from '../location/screen-location.ts';
import { plural } from '../model/format.ts';
import { operationColumns, sortedOperations } from '../model/outbound/operation-columns.ts';
import { operationFilters, replayRefusal } from '../model/outbound/operation-view.ts';
import { isRetrying, providerOf } from '../model/outbound/outbound-view.ts';
import { copyText } from '../parts/buttons/copy.tsx';
import type { RowAction } from '../parts/buttons/row-menu.tsx';
import { BulkOperationsDialog } from '../parts/dialogs/bulk-operations-dialog.tsx';
import { focusReadingRegion } from '../parts/feedback/reading-region.tsx';
import { OneWorkspace } from '../parts/fields/one-workspace.tsx';
import { useDebounced } from '../parts/fields/use-debounced.ts';
import { DetailPane } from '../parts/tables/detail-head.tsx';
import { closesDetail, keysIntoList } from '../parts/tables/list-keys.ts';
import { type Selection, useSelection } from '../parts/tables/selection.tsx';
import { useFirstSelected } from '../parts/tables/use-first-selected.ts';
import { detailMinPx, listPane, usePanes } from '../parts/tables/use-panes.tsx';
import { useSort } from '../parts/tables/use-sort.ts';
import { OperationDetail } from './operations/detail.tsx';
import { OperationFilters } from './operations/filters.tsx';
import { OperationsHead } from './operations/head.tsx';
import { OperationList } from './operations/list.tsx';
import {
  hidesPlainSaves,
  type OperationsQuery,
  operationsKey,
  useDeadLettered,
  useOperations,
} from './operations/queries.ts';

export function OperationsScreen(): ReactElement {
  return (
    <OneWorkspace title="Operations">
      {({ workspaceId }) => <WorkspaceOperations key={workspaceId} workspaceId={workspaceId} />}
    </OneWorkspace>
  );
}

function WorkspaceOperations({ workspaceId }: { readonly workspaceId: string }): ReactElement {
  const { queries } = useServices();
  const location = useScreenLocation('operations');
  const { selected, go } = location;
  const typed = location.field('text');
  const text = useDebounced(typed.trim(), (value) => value === '');
  const query = { ...queryAt(location), text };
  const { list, rows: loaded, providers, loadMore } = useShownOperations(workspaceId, query);
  const sorting = useSort(location, operationColumns);
  const { sort } = sorting;
  const rows = useMemo(() => sortedOperations(loaded, sort), [loaded, sort]);
  const panes = usePanes('operations', listPane, detailMinPx);
  const dead = useDeadLettered(workspaceId).data ?? noDeadLettered;
  const [asking, setAsking] = useState<readonly string[] | null>(null);
  const selection = useSelection(rows, idOf);
  useFirstSelected(rows[0]?.opId ?? null, selected, (opId) => go({ selected: opId, replace: true }));
  const replayable = selection.rows.filter((row) => row.status === 'dead_lettered').map(idOf);
  const changed = (): void => void queries.invalidateQueries({ queryKey: operationsKey(workspaceId) });
  const setFilters = (fields: Readonly<Record<string, string>>): void =>
    go({ fields, selected: null, replace: true });
  const replaySelected = (): void => {
    if (replayable.length > 0) setAsking(replayable);
  };
  const actionsOf = useOperationMenu(workspaceId, selection, setAsking);
  const { listFocus, textField, replay } = useOperationKeys(location, selection, replaySelected);
  return (
    <div className="work">
      <OperationsHead
        dead={dead}
        query={query}
        plainSaves={list.data?.pages[0]?.plainSaves ?? null}
        onSaves={(isAll) => setFilters({ saves: isAll ? 'all' : '' })}
        onReplay={setAsking}
      />
      <OperationFilters
        query={query}
        providers={providers}
        dead={dead}
        text={typed}
        fieldRef={textField}
        onText={(next) => setFilters({ text: next })}
        onLeave={(begin) => listFocus.current?.(begin)}
        onChange={setFilters}
      />
      <div
        ref={panes.frame}
        style={panes.style}
        className={selected === null ? 'work-panes' : 'work-panes with-detail'}
      >
        <OperationList
          workspaceId={workspaceId}
          list={list}
          rows={rows}
          sorting={sorting}
          actionsOf={actionsOf}
          openId={selected}
          selection={selection}
          replayable={replayable}
          onReplay={replaySelected}
          filtered={isFiltered(query)}
          hidesPlainSaves={hidesPlainSaves(query)}
          onSaves={() => setFilters({ saves: 'all' })}
          onClear={() => setFilters({ state: '', action: '', provider: '', text: '' })}
          onLoadMore={loadMore}
          focusHandle={listFocus}
          onOpen={(opId) => go({ selected: opId, replace: selected !== null })}
          onEnter={focusReadingRegion}
        />
        <DetailPane label="Operation" openId={selected} panes={panes}>
          {(opId) => (
            <OperationDetail
              key={opId}
              workspaceId={workspaceId}
              opId={opId}
              replayHandle={replay}
              actions={actionsOf}
              onChanged={changed}
              onClose={() => go({ selected: null })}
            />
          )}
        </DetailPane>
      </div>
      {asking === null ? null : (
        <ReplayDialog
          workspaceId={workspaceId}
          opIds={asking}
          onDone={() => {
            selection.clear();
            changed();
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  );
}

/** What can be done with one operation: of its row and of its detail. */
function useOperationMenu(
  workspaceId: string,
  selection: Selection<Operation>,
  onReplay: (opIds: readonly string[]) => void,
): (operation: Operation) => readonly RowAction[] {
  const disabledReason = useDisabledReason();
  const [, navigate] = useLocation();
  return (operation) => {
    const { opId, path } = operation;
    return [
      {
        text: 'Replay…',
        icon: 'moving',
        shortcut: 'R',
        disabledReason: disabledReason ?? replayRefusal(operation),
        run: () => onReplay([opId]),
      },
      { text: 'Select', icon: 'fine', shortcut: 'X', run: () => selection.toggle(opId) },
      {
        text: 'Open the file',
        icon: 'file',
        disabledReason: path === undefined ? 'This operation has no file.' : null,
        run: () => path !== undefined && navigate(filesHref(workspaceId, path, 'file')),
      },
      { text: 'Copy the path', icon: 'copy', run: () => void copyText(path ?? '', 'the path') },
      { text: 'Copy the id', icon: 'copy', shortcut: 'C', run: () => void copyText(opId, 'the id') },
    ];
  };
}

/** The keys of the screen, and their targets. */
function useOperationKeys(
  { selected, go }: ScreenLocation,
  selection: Selection<Operation>,
  replaySelected: () => void,
) {
  const disabledReason = useDisabledReason();
  const listFocus = useRef<((begin: boolean) => void) | null>(null);
  const textField = useRef<HTMLInputElement>(null);
  /** Replays the open operation. */
  const replay = useRef<(() => void) | null>(null);
  useKeys({
    '/': () => textField.current?.focus(),
    ...keysIntoList(() => listFocus.current?.(true)),
    c: () => selected !== null && void copyText(selected, 'the id'),
    x: () => selected !== null && selection.toggle(selected),
    'mod+a': selection.all,
    r: () => {
      if (selection.rows.length === 0) replay.current?.();
      else if (disabledReason === null) replaySelected();
    },
    Escape: () => {
      if (selection.rows.length > 0) selection.clear();
      else if (selected !== null && closesDetail()) go({ selected: null });
      listFocus.current?.(false);
    },
  });
  return { listFocus, textField, replay };
}

const idOf = (operation: Operation): string => operation.opId;
const noDeadLettered = { items: [], more: false };

function queryAt({ field }: ScreenLocation): Omit<OperationsQuery, 'text'> {
  return {
    filter: operationFilters.find((each) => each === field('state')) ?? 'all',
    action: field('action'),
    provider: field('provider'),
    isAll: field('saves') === 'all',
  };
}

function isFiltered({ filter, action, provider, text }: OperationsQuery): boolean {
  return filter !== 'all' || action !== '' || provider !== '' || text !== '';
}

function ReplayDialog({
  workspaceId,
  opIds,
  onDone,
  onClose,
}: {
  readonly workspaceId: string;
  readonly opIds: readonly string[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  return (
    <BulkOperationsDialog
      opIds={opIds}
      texts={{
        title: `Replay ${plural(opIds.length, 'dead-lettered operation')}?`,
        confirm: `Replay ${opIds.length}`,
        text: 'The current files are sent, oldest operation first. Operations that fail again return with a new cause.',
        done: 'replayed',
      }}
      run={async (selected) =>
        await client.operations.replayMany(workspaceId, { filter: { opIds: selected }, send: 'current' })
      }
      onDone={onDone}
      onClose={onClose}
    />
  );
}

function useShownOperations(workspaceId: string, query: OperationsQuery) {
  const list = useOperations(workspaceId, query);
  const loaded = (list.data?.pages ?? []).flatMap((page) => page.items);
  // The API has one status for both.
  const rows = loaded.filter((row) =>
    query.filter === 'retrying' ? isRetrying(row) : query.filter === 'pending' ? !isRetrying(row) : true,
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  // A page without matches: the next one may have some.
  const noMatchYet = rows.length === 0 && hasNextPage && !isFetchingNextPage;
  useEffect(() => {
    if (noMatchYet) void fetchNextPage();
  }, [noMatchYet, fetchNextPage]);
  const names = [query.provider, ...loaded.map(providerOf)];
  return {
    list,
    rows,
    /** Names in the loaded operations, and the selected one. */
    providers: [...new Set(names)].filter((name) => name !== '').sort(),
    loadMore: () => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
  };
}
