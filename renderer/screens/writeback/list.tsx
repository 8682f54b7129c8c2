// Operations by provider in virtual rows: a line for the provider with its state and Pause, then its operations.
import { useMutation } from '@tanstack/react-query';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
} from 'react';
import type { Operation } from '../../../server/contract/operations.ts';
import type { Provider } from '../../../server/contract/providers.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { duration } from '../../model/format.ts';
import { type OperationColumn, writebackColumns } from '../../model/outbound/operation-columns.ts';
import {
  groupCounts,
  isRetrying,
  nextAttemptOf,
  type OutboundGroup,
  operationStatus,
  providerStatus,
} from '../../model/outbound/outbound-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { announce, announceFailure } from '../../parts/feedback/answers.ts';
import { CircuitNote } from '../../parts/feedback/circuit-note.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time, useNow } from '../../parts/feedback/time.tsx';
import { ColumnHeads } from '../../parts/tables/column-heads.tsx';
import { GridCell, GridRow, RowFrame, type RowPosition, rowPosition } from '../../parts/tables/grid.tsx';
import { MarkCell, type Selection } from '../../parts/tables/selection.tsx';
import { useColumns } from '../../parts/tables/use-columns.ts';
import type { ColumnSorting } from '../../parts/tables/use-sort.ts';
import { movedIndex, useVirtualRows } from '../../parts/tables/use-virtual-rows.ts';

const rowPx = 32;
const pageRows = 12;

type Row =
  | { readonly kind: 'group'; readonly group: OutboundGroup }
  | { readonly kind: 'item'; readonly operation: Operation; readonly provider: Provider | null };

interface WritebackListProps {
  readonly workspaceId: string;
  readonly groups: readonly OutboundGroup[];
  readonly selected: string | null;
  readonly selection: Selection<Operation>;
  readonly sorting: ColumnSorting<OperationColumn>;
  /** Set to a function that focuses the list; `begin` also selects the first operation if none is selected. */
  readonly focusHandle: RefObject<((begin: boolean) => void) | null>;
  readonly onSelect: (opId: string) => void;
  readonly onEnter: () => void;
}

export function WritebackList(props: WritebackListProps): ReactElement {
  const { workspaceId, selection, sorting } = props;
  const layout = useColumns('writeback', writebackColumns);
  const { rows, currentRow, virtual, onClick, tabStop, onKeyDown } = useListNavigation(props);
  return (
    <RowFrame
      role="grid"
      aria-label="Operations by provider"
      aria-rowcount={rows.length}
      aria-colcount={layout.shown.length}
      layout={layout}
      heads={<ColumnHeads layout={layout} {...sorting} />}
      virtual={virtual}
      rows={rows}
      onKeyDown={onKeyDown}
    >
      {(row, item) =>
        row.kind === 'group' ? (
          <GroupRow
            key={`group ${row.group.name}`}
            workspaceId={workspaceId}
            group={row.group}
            index={item.index}
            startPx={item.start}
          />
        ) : (
          <OperationRow
            key={row.operation.opId}
            operation={row.operation}
            provider={row.provider}
            // The first row is a provider: the tab stop is the first operation.
            position={{ ...rowPosition(item, currentRow), tabStop: item.index === tabStop }}
            marked={selection.marked.has(row.operation.opId)}
            onMark={() => selection.toggle(row.operation.opId)}
            onClick={(event) => onClick(event, row.operation, item.index)}
          />
        )
      }
    </RowFrame>
  );
}

/** The rows, and the keys that move through the operations among them. */
function useListNavigation(props: WritebackListProps) {
  const { groups, selected, selection, focusHandle, onSelect, onEnter } = props;
  const rows = useMemo<readonly Row[]>(
    () =>
      groups.flatMap((group) => [
        { kind: 'group' as const, group },
        ...group.operations.map((operation) => ({
          kind: 'item' as const,
          operation,
          provider: group.provider,
        })),
      ]),
    [groups],
  );
  /** Indexes of the operation rows. */
  const items = useMemo(() => rows.flatMap((row, index) => (row.kind === 'item' ? [index] : [])), [rows]);
  const currentRow = rows.findIndex((row) => row.kind === 'item' && row.operation.opId === selected);
  const virtual = useVirtualRows({ count: rows.length, rowPx, current: currentRow });
  const { scrollTo } = virtual;
  useEffect(() => {
    if (currentRow >= 0) scrollTo(currentRow);
  }, [currentRow, scrollTo]);

  const select = (at: number): void => {
    const row = rows[items[at] ?? -1];
    if (row?.kind !== 'item') return;
    onSelect(row.operation.opId);
    virtual.focus(items[at] ?? 0);
  };
  useLayoutEffect(() => {
    focusHandle.current = (begin) => {
      if (currentRow >= 0) virtual.focus(currentRow);
      else if (begin) select(0);
      else if (items[0] !== undefined) virtual.focus(items[0]);
    };
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLButtonElement) return;
    const moved = movedIndex(event.key, items.indexOf(currentRow), items.length, pageRows);
    if (moved !== null) {
      const to = rows[items[moved] ?? -1];
      if (event.shiftKey && selected !== null && to?.kind === 'item')
        selection.range(selected, to.operation.opId);
      select(moved);
    } else if (event.key === 'Enter' && currentRow < 0) select(0);
    else if (event.key === 'Enter') onEnter();
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent, { opId }: Operation, index: number): void => {
    if (event.ctrlKey || event.metaKey) selection.toggle(opId);
    else if (event.shiftKey && selected !== null) selection.range(selected, opId);
    else select(items.indexOf(index));
  };
  const tabStop = currentRow >= 0 ? currentRow : (items[0] ?? -1);
  return { rows, currentRow, virtual, onClick, tabStop, onKeyDown };
}

function GroupRow({
  workspaceId,
  group,
  index,
  startPx,
}: {
  readonly workspaceId: string;
  readonly group: OutboundGroup;
  readonly index: number;
  readonly startPx: number;
}): ReactElement {
  const { client, queries } = useServices();
  const disabledReason = useDisabledReason();
  const { name, provider } = group;
  const paused = provider?.state === 'paused';
  const mutation = useMutation({
    mutationFn: async () =>
      paused
        ? await client.providers.resume(workspaceId, name)
        : await client.providers.pause(workspaceId, name),
    onSuccess: () => announce(`Sending to ${name} is ${paused ? 'resumed' : 'paused'}.`),
    onError: (error) => announceFailure(describeError(error)),
    onSettled: async () => await queries.invalidateQueries({ queryKey: ['outbound', workspaceId] }),
  });
  const reason = mutation.isError ? describeError(mutation.error) : (provider?.cause ?? null);
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: its button is the stop
    <div
      role="row"
      aria-rowindex={index + 1}
      data-index={index}
      className="group-row"
      style={{ transform: `translateY(${startPx}px)` }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its button is the stop */}
      <span role="gridcell" aria-colspan={5} className="group-cell">
        <b className="ellipsis">{name === '' ? 'No provider' : name}</b>
        <Status {...providerStatus(provider)} />
        {provider === null || reason === null || paused ? null : (
          <ProviderIssue provider={provider} reason={reason} />
        )}
        <span className="end faint">
          {provider === null ? 'Not registered; nothing is sent' : groupCounts(provider)}
        </span>
        {provider === null ? null : (
          <Button
            kind="ghost"
            icon={paused ? 'resume' : 'paused'}
            label={`${paused ? 'Resume' : 'Pause'} sending to ${name}`}
            disabledReason={disabledReason ?? (mutation.isPending ? 'Working…' : null)}
            onClick={() => mutation.mutate()}
          />
        )}
      </span>
    </div>
  );
}

/** One text, so that it is truncated at its end; the tooltip has the reason. */
function ProviderIssue({
  provider,
  reason,
}: {
  readonly provider: Provider;
  readonly reason: string | null;
}): ReactElement {
  return (
    <span className="soft ellipsis" title={reason ?? undefined}>
      <CircuitNote provider={provider} className={null} />
      {provider.circuit === 'closed' || reason === null ? null : ' · '}
      {reason}
    </span>
  );
}

function OperationRow({
  operation,
  provider,
  position,
  marked,
  onMark,
  onClick,
}: {
  readonly operation: Operation;
  readonly provider: Provider | null;
  readonly position: RowPosition;
  readonly marked: boolean;
  readonly onMark: () => void;
  readonly onClick: (event: MouseEvent) => void;
}): ReactElement {
  return (
    <GridRow position={position} className="item-row" onClick={onClick}>
      <MarkCell id={operation.opId} marked={marked} onToggle={onMark} />
      <GridCell className="item-path">
        <PathText path={operation.path ?? ''} />
        {operation.action === 'file_delete' ? <span className="tag">delete</span> : null}
      </GridCell>
      <GridCell>
        <Status {...operationStatus(operation)} />
      </GridCell>
      <GridCell className="number soft">{operation.attemptCount}</GridCell>
      <GridCell className="soft">
        <When operation={operation} provider={provider} />
      </GridCell>
    </GridRow>
  );
}

/** Time of the next attempt; otherwise its age, or the time of its success. */
function When({
  operation,
  provider,
}: {
  readonly operation: Operation;
  readonly provider: Provider | null;
}): ReactElement {
  const now = useNow();
  const next = isRetrying(operation) ? nextAttemptOf(operation, provider) : null;
  if (next !== null) {
    const leftMs = Date.parse(next) - now;
    return <>{leftMs > 0 ? `in ${duration(leftMs)}` : 'now'}</>;
  }
  if (operation.status === 'succeeded') {
    return <Time at={operation.completedAt ?? operation.updatedAt} as="clock" />;
  }
  return <Time at={operation.createdAt} as="age" />;
}
