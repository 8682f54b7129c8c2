// What is on its way to providers, and what will be sent? By provider; the address holds filter, text and selection.
import { type ReactElement, useMemo, useRef, useState } from 'react';
import type { Operation } from '../../server/contract/operations.ts';
import type { Workspace } from '../../server/contract/workspaces.ts';
import { useOutbound, useProviders } from '../api/outbound.ts';
import { useBlocked } from '../api/services.ts';
import { useLiveRefresh } from '../api/use-live-refresh.ts';
import { useKeys } from '../keys.ts';
import { count, counted } from '../model/format.ts';
import {
  filterNames,
  type OutboundFilter,
  openItems,
  outboundFilters,
  outboundGroups,
  passesFilter,
} from '../model/outbound-view.ts';
import { Button } from '../parts/button.tsx';
import { copyText } from '../parts/copy.tsx';
import { FailedReading } from '../parts/failed-reading.tsx';
import { FilterChips } from '../parts/filter-chips.tsx';
import { FilterField } from '../parts/filter-field.tsx';
import { keysIntoList } from '../parts/list-keys.ts';
import { OneWorkspace } from '../parts/one-workspace.tsx';
import { enterReading } from '../parts/reading-region.tsx';
import { type Selection, SelectionBar, useSelection } from '../parts/selection.tsx';
import { SkeletonRows } from '../parts/skeleton-rows.tsx';
import { useScreenPlace } from '../screen-place.ts';
import { type BulkItems, BulkItemsDialog, fitFor } from './writeback/bulk-items-dialog.tsx';
import { WritebackDetail } from './writeback/detail.tsx';
import { WritebackList } from './writeback/list.tsx';
import { NothingWaits } from './writeback/nothing-waits.tsx';

export function WritebackScreen(): ReactElement {
  return (
    <OneWorkspace title="Writeback">
      {(workspace) => <WorkspaceWriteback key={workspace.workspaceId} workspace={workspace} />}
    </OneWorkspace>
  );
}

function WorkspaceWriteback({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { workspaceId } = workspace;
  const place = useScreenPlace('writeback');
  const blocked = useBlocked();
  const providers = useProviders(workspaceId);
  const moving = openItems(providers.data?.providers ?? [], providers.data?.syncs ?? []) > 0;
  const outbound = useOutbound(workspaceId, moving);
  useLiveRefresh(workspaceId, ['outbound', workspaceId]);
  const filterField = useRef<HTMLInputElement>(null);
  const listFocus = useRef<((begin: boolean) => void) | null>(null);
  const [asking, setAsking] = useState<Asking | null>(null);

  const filter = outboundFilters.find((each) => each === place.field('filter')) ?? 'all';
  const text = place.field('text');
  const operations = outbound.data?.operations ?? [];
  const groups = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    const shown = operations.filter(
      (each) =>
        passesFilter(each, filter) &&
        (wanted === '' ||
          (each.path ?? '').toLowerCase().includes(wanted) ||
          each.opId.toLowerCase().startsWith(wanted)),
    );
    const all = outboundGroups(shown, providers.data?.providers ?? [], providers.data?.syncs ?? []);
    // Narrowed, only what matches is shown; in "All" every provider has its line.
    return filter === 'all' && wanted === '' ? all : all.filter((group) => group.items.length > 0);
  }, [operations, filter, text, providers.data]);
  const items = useMemo(() => groups.flatMap((group) => group.items), [groups]);
  const shown = items.length;
  const selection = useSelection(items, idOf);
  const ask = (kind: BulkItems, of: readonly Operation[]): void => {
    const fit = fitFor(kind, of);
    if (fit.length > 0 && blocked === null) setAsking({ kind, operations: fit });
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
  const failure = outbound.error ?? providers.error;
  return (
    <div className={place.selected === null ? 'outbound' : 'outbound with-detail'}>
      <div className="screen-head">
        <h1>Writeback</h1>
        <span className="soft ellipsis">Changes of {workspace.name} on their way to providers</span>
        {deadLettered.length === 0 ? null : (
          <span className="end">
            <Button icon="replay" blocked={blocked} onClick={() => ask('retry', deadLettered)}>
              Retry {counted(deadLettered.length, 'failed', 'failed')}…
            </Button>
          </span>
        )}
      </div>
      <div className="filter-bar">
        <FilterChips
          label="State"
          value={filter}
          options={outboundFilters.map((each) => ({
            value: each,
            name: filterNames[each],
            // Nothing that is not known is counted as none.
            ...(outbound.data === undefined
              ? {}
              : { figure: operations.filter((operation) => passesFilter(operation, each)).length }),
          }))}
          onChange={(next: OutboundFilter) => place.go({ fields: { filter: next === 'all' ? '' : next } })}
        />
        <FilterField
          fieldRef={filterField}
          label="Path or operation id"
          place="end"
          value={text}
          onChange={(next) => place.go({ fields: { text: next }, replace: true })}
          onLeave={(begin) => listFocus.current?.(begin)}
        />
      </div>
      <section className="pane list" aria-label="Items">
        <ItemSelection selection={selection} of={shown} onAsk={ask} />
        {outbound.data === undefined || providers.data === undefined ? (
          failure === null ? (
            <SkeletonRows />
          ) : (
            <div className="binary">
              <FailedReading
                error={failure}
                path={workspaceId}
                retry="By itself, when the agent answers again."
                onAgain={() => void Promise.all([outbound.refetch(), providers.refetch()])}
              />
            </div>
          )
        ) : groups.length === 0 || (shown === 0 && (filter !== 'all' || text !== '')) ? (
          <NothingWaits
            workspace={workspace}
            providers={providers.data.providers}
            narrowed={filter !== 'all' || text !== ''}
            onShowAll={() => place.go({ fields: { filter: '', text: '' } })}
          />
        ) : (
          <WritebackList
            workspaceId={workspaceId}
            groups={groups}
            selected={place.selected}
            selection={selection}
            focusHandle={listFocus}
            onSelect={(opId) => place.go({ selected: opId, replace: place.selected !== null })}
            onEnter={enterReading}
          />
        )}
        <div className="pane-foot">
          {outbound.data === undefined ? null : (
            <span>
              {counted(shown, 'item')}. Items of one path are sent in order, one at a time.
              {outbound.data.cut ? ' Not all are shown: there are too many to read at once.' : ''}
            </span>
          )}
        </div>
      </section>
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
        <BulkItemsDialog
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

interface Asking {
  readonly kind: BulkItems;
  readonly operations: readonly Operation[];
}

const idOf = (operation: Operation): string => operation.opId;

/** What can be done with the chosen items; what fits none of them is not offered. */
function ItemSelection({
  selection,
  of,
  onAsk,
}: {
  readonly selection: Selection<Operation>;
  readonly of: number;
  readonly onAsk: (kind: BulkItems, operations: readonly Operation[]) => void;
}): ReactElement {
  const blocked = useBlocked();
  const failed = fitFor('retry', selection.rows).length;
  const pending = fitFor('stop', selection.rows).length;
  return (
    <SelectionBar
      selection={selection}
      of={of}
      {...(failed + pending === 0 ? { note: 'None of them waits or failed.' } : {})}
    >
      {failed === 0 ? null : (
        <Button shortcut="R" blocked={blocked} onClick={() => onAsk('retry', selection.rows)}>
          {`Retry ${count(failed)}…`}
        </Button>
      )}
      {pending === 0 ? null : (
        <>
          <Button blocked={blocked} onClick={() => onAsk('send', selection.rows)}>
            {`Send ${count(pending)} now…`}
          </Button>
          <Button blocked={blocked} onClick={() => onAsk('stop', selection.rows)}>
            {`Do not send ${count(pending)}…`}
          </Button>
        </>
      )}
    </SelectionBar>
  );
}
