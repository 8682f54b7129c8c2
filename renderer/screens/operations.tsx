// What happened to one change, step by step? Every change that went, goes or should have gone to a provider.

import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { Operation } from '../../sdk/index.ts';
import type { Workspace } from '../../server/contract/workspaces.ts';
import { useBlocked, useServices } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import { counted } from '../model/format.ts';
import {
  actionName,
  type OperationFilter,
  operationFilterNames,
  operationFilters,
} from '../model/operation-view.ts';
import { isRetrying, providerOf } from '../model/outbound-view.ts';
import { BulkOperationsDialog } from '../parts/bulk-operations-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { copyText } from '../parts/copy.tsx';
import { keysIntoList } from '../parts/list-keys.ts';
import { OneWorkspace } from '../parts/one-workspace.tsx';
import { enterReading } from '../parts/reading-region.tsx';
import { useSelection } from '../parts/selection.tsx';
import { useScreenPlace } from '../screen-place.ts';
import { OperationDetail } from './operations/detail.tsx';
import { OperationList } from './operations/list.tsx';
import { operationsKey, useDeadLettered, useOperations } from './operations/queries.ts';

export function OperationsScreen(): ReactElement {
  return (
    <OneWorkspace title="Operations">
      {(workspace) => <WorkspaceOperations key={workspace.workspaceId} workspace={workspace} />}
    </OneWorkspace>
  );
}

function WorkspaceOperations({
  workspace: { workspaceId },
}: {
  readonly workspace: Workspace;
}): ReactElement {
  const { client, queries } = useServices();
  const { selected, field, go } = useScreenPlace('operations');
  const filter = operationFilters.find((each) => each === field('state')) ?? 'all';
  const action = field('action');
  const provider = field('provider');
  const list = useOperations(workspaceId, { filter, action, provider });
  const dead = useDeadLettered(workspaceId);
  const blocked = useBlocked();
  const [asking, setAsking] = useState<readonly string[] | null>(null);
  const listFocus = useRef<((begin: boolean) => void) | null>(null);
  const firstFilter = useRef<HTMLSelectElement>(null);
  const replay = useRef<(() => void) | null>(null);
  const read = (list.data?.pages ?? []).flatMap((page) => page.items);
  const rows = read.filter((row) =>
    filter === 'retrying' ? isRetrying(row) : filter === 'pending' ? !isRetrying(row) : true,
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const readOn = (): void => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  };
  // A whole page without a match: the next one may have some.
  const nothingYet = rows.length === 0 && hasNextPage && !isFetchingNextPage;
  useEffect(() => {
    if (nothingYet) void fetchNextPage();
  }, [nothingYet, fetchNextPage]);
  const selection = useSelection(rows, idOf);
  /** What of it can be replayed at all. */
  const replayable = selection.rows.filter((row) => row.status === 'dead_lettered').map(idOf);
  const changed = (): void => void queries.invalidateQueries({ queryKey: operationsKey(workspaceId) });
  const narrow = (fields: Readonly<Record<string, string>>): void =>
    go({ fields, selected: null, replace: true });
  useKeys({
    '/': () => firstFilter.current?.focus(),
    ...keysIntoList(() => listFocus.current?.(true)),
    c: () => selected !== null && void copyText(selected, 'the id'),
    x: () => selected !== null && selection.toggle(selected),
    'mod+a': selection.all,
    r: () => {
      if (selection.rows.length === 0) replay.current?.();
      else if (replayable.length > 0 && blocked === null) setAsking(replayable);
    },
    Escape: () => {
      const inList = document.activeElement?.closest('.list') !== null;
      if (selection.rows.length > 0) selection.clear();
      else if (selected !== null && inList) go({ selected: null });
      listFocus.current?.(false);
    },
  });
  const deadCount = dead.data?.items.length ?? 0;
  const isCut = dead.data?.more ?? false;
  const providers = [...new Set([provider, ...read.map(providerOf)])].filter((name) => name !== '').sort();
  return (
    <div className="work">
      <header className="work-head">
        <h1>Operations</h1>
        <span className="soft when-wide">Every change, newest first.</span>
        {deadCount === 0 ? null : (
          <span className="end">
            <Button
              icon="moving"
              blocked={blocked}
              onClick={() => setAsking((dead.data?.items ?? []).map((each) => each.opId))}
            >
              {isCut ? `Replay the oldest ${deadCount} dead-lettered…` : `Replay ${deadCount} dead-lettered…`}
            </Button>
          </span>
        )}
      </header>
      <search className="work-filters">
        {/* biome-ignore lint/a11y/useSemanticElements: choices of a filter, not a form's fieldset */}
        <div role="group" aria-label="State" className="filter-group">
          {operationFilters.map((each: OperationFilter) => (
            <button
              key={each}
              type="button"
              className="chip"
              aria-pressed={filter === each}
              onClick={() => narrow({ state: each === 'all' ? '' : each })}
            >
              {operationFilterNames[each]}
              {each === 'dead_lettered' && deadCount > 0 ? (
                <b>{isCut ? `${deadCount}+` : deadCount}</b>
              ) : null}
            </button>
          ))}
        </div>
        <span className="end row">
          <select
            ref={firstFilter}
            className="input choice"
            aria-label="Kind"
            value={action}
            onChange={(event) => narrow({ action: event.target.value })}
          >
            <option value="">Kind: any</option>
            {(['file_upsert', 'file_delete'] as const).map((each) => (
              <option key={each} value={each}>
                {actionName({ action: each })}
              </option>
            ))}
          </select>
          <select
            className="input choice"
            aria-label="Provider"
            value={provider}
            onChange={(event) => narrow({ provider: event.target.value })}
          >
            <option value="">Provider: any</option>
            {providers.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </span>
      </search>
      <div className={selected === null ? 'work-panes' : 'work-panes with-detail'}>
        <OperationList
          workspaceId={workspaceId}
          list={list}
          rows={rows}
          openId={selected}
          selection={selection}
          replayable={replayable}
          onReplay={() => setAsking(replayable)}
          filtered={filter !== 'all' || action !== '' || provider !== ''}
          onClear={() => narrow({ state: '', action: '', provider: '' })}
          onReadOn={readOn}
          focusHandle={listFocus}
          onOpen={(opId) => go({ selected: opId, replace: selected !== null })}
          onEnter={enterReading}
        />
        <section className="pane detail" aria-label="Operation">
          {selected === null ? (
            <div className="empty unselected">
              <p>No operation is selected. J and K, or the arrows, move through the list; Enter opens.</p>
            </div>
          ) : (
            <OperationDetail
              key={selected}
              workspaceId={workspaceId}
              opId={selected}
              replayHandle={replay}
              onChanged={changed}
              onClose={() => go({ selected: null })}
            />
          )}
        </section>
      </div>
      {asking !== null ? (
        <BulkOperationsDialog
          opIds={asking}
          words={{
            title: `Replay ${counted(asking.length, 'dead-lettered operation')}?`,
            confirm: `Replay ${asking.length}`,
            text: 'Each sends what its file is now, in the order of the queue. One that fails again comes back with its new cause.',
            done: 'replayed',
          }}
          run={async (opIds) =>
            await client.replayOperations(workspaceId, { filter: { opIds }, send: 'current' })
          }
          onDone={() => {
            selection.clear();
            changed();
          }}
          onClose={() => setAsking(null)}
        />
      ) : null}
    </div>
  );
}

const idOf = (operation: Operation): string => operation.opId;
