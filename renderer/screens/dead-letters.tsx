// The Dead letters screen: inbound events that could not be applied, with edit, replay and dismissal. The URL holds the location.
import { type ReactElement, type RefObject, useMemo, useRef, useState } from 'react';
import type { DeadLetter } from '../../sdk/index.ts';
import type { Workspace } from '../../server/contract/workspaces.ts';
import { useDisabledReason, useServices } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import { plural } from '../model/format.ts';
import { deadLetterColumns, sortedDeadLetters } from '../model/inbound/dead-letter-columns.ts';
import { sortableIds } from '../model/tables/column-layout.ts';
import { sortOf, sortText } from '../model/tables/sorting.ts';
import { Button } from '../parts/buttons/button.tsx';
import { copyText } from '../parts/buttons/copy.tsx';
import { announce, runWithUndo } from '../parts/feedback/answers.ts';
import { focusReadingRegion } from '../parts/feedback/reading-region.tsx';
import { useNow } from '../parts/feedback/time.tsx';
import { OneWorkspace } from '../parts/fields/one-workspace.tsx';
import { closesDetail, keysIntoList } from '../parts/tables/list-keys.ts';
import { type Selection, useSelection } from '../parts/tables/selection.tsx';
import { useFirstSelected } from '../parts/tables/use-first-selected.ts';
import { useHidden } from '../parts/tables/use-hidden.ts';
import { detailMinPx, listPane, usePanes } from '../parts/tables/use-panes.tsx';
import { type BulkAction, BulkDialog } from './dead-letters/bulk-dialog.tsx';
import { type DeadLetterMenu, DeadLetterPane, type DetailActions } from './dead-letters/detail.tsx';
import { DeadLetterFilters } from './dead-letters/filters.tsx';
import { DeadLetterList } from './dead-letters/list.tsx';
import { ages, type DeadLettersLocation, useDeadLettersLocation } from './dead-letters/location.ts';
import { deadLettersKey, useDeadLetters, useIngress } from './dead-letters/queries.ts';

export function DeadLettersScreen(): ReactElement {
  return (
    <OneWorkspace title="Dead letters">
      {(workspace) => <WorkspaceDeadLetters key={workspace.workspaceId} workspace={workspace} />}
    </OneWorkspace>
  );
}

function WorkspaceDeadLetters({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { workspaceId } = workspace;
  const { queries } = useServices();
  const { location, go } = useDeadLettersLocation(workspaceId);
  const query = useDeadLetters(workspaceId, location);
  const ingress = useIngress(workspaceId);
  const hiding = useHidden();
  const visible = useVisibleRows(query.data?.items, hiding.hidden, ages[location.age].ms);
  const sort = useMemo(() => sortOf(location.sort, sortableIds(deadLetterColumns)), [location.sort]);
  const rows = useMemo(() => sortedDeadLetters(visible, sort), [visible, sort]);
  const panes = usePanes('dead-letters', listPane, detailMinPx);
  const selection = useSelection(rows, idOf);
  useFirstSelected(rows[0]?.envelopeId ?? null, location.envelopeId, (envelopeId) =>
    go({ envelopeId }, true),
  );
  const [action, setAction] = useState<BulkAction | null>(null);
  const onChanged = (): void => void queries.invalidateQueries({ queryKey: deadLettersKey(workspaceId) });
  const dismiss = useDismiss({ workspaceId, rows, hiding, selection, go, onChanged });
  /** Only several need a confirmation: the dismissal of one can be undone. */
  const confirm = (kind: 'replay' | 'acknowledge', deadLetters: readonly DeadLetter[]): void => {
    const [only] = deadLetters;
    if (kind === 'acknowledge' && deadLetters.length === 1 && only !== undefined) dismiss(only.envelopeId);
    else setAction({ kind, deadLetters });
  };
  const actionsOf = useDeadLetterMenu(rows, selection, confirm);
  const { filterField, listFocus, actions } = useDeadLetterKeys({ location, go, selection, confirm });
  return (
    <div className="work">
      <Head total={ingress.data?.deadLetterTotal} rows={rows} onReplayAll={() => confirm('replay', rows)} />
      <DeadLetterFilters
        location={location}
        go={go}
        ingress={ingress.data}
        filterField={filterField}
        onDone={() => listFocus.current?.(true)}
      />
      <div
        ref={panes.frame}
        style={panes.style}
        className={location.envelopeId === null ? 'work-panes' : 'work-panes with-detail'}
      >
        <DeadLetterList
          workspaceId={workspaceId}
          query={query}
          rows={rows}
          accepted={ingress.data?.acceptedTotal}
          location={location}
          go={go}
          sorting={{ sort, onSort: (next) => go({ sort: sortText(next) }, true) }}
          selection={selection}
          actionsOf={actionsOf}
          onAct={confirm}
          focusHandle={listFocus}
          onEnter={focusReadingRegion}
          onChanged={onChanged}
        />
        <DeadLetterPane
          workspaceId={workspaceId}
          envelopeId={location.envelopeId}
          selected={selection.rows}
          panes={panes}
          menuOf={actionsOf}
          actions={actions}
          onAcknowledge={dismiss}
          onSameEdit={(patch) => setAction({ kind: 'edit', deadLetters: selection.rows, patch })}
          onChanged={onChanged}
          onClose={() => go({ envelopeId: null })}
        />
      </div>
      {action === null ? null : (
        <BulkDialog
          workspaceId={workspaceId}
          action={action}
          onDone={(text) => {
            announce(text);
            selection.clear();
            onChanged();
          }}
          onClose={() => setAction(null)}
        />
      )}
    </div>
  );
}

function Head({
  total,
  rows,
  onReplayAll,
}: {
  readonly total: number | undefined;
  readonly rows: readonly DeadLetter[];
  readonly onReplayAll: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  return (
    <header className="work-head">
      <h1>Dead letters</h1>
      {total === undefined || total === 0 ? null : (
        <span className="soft">{plural(total, 'inbound event')} not applied</span>
      )}
      {rows.length === 0 ? null : (
        <span className="end">
          <Button icon="moving" disabledReason={disabledReason} onClick={onReplayAll}>
            {rows.length === 1 ? 'Replay 1…' : `Replay all ${rows.length}…`}
          </Button>
        </span>
      )}
    </header>
  );
}

/** What can be done with one dead letter: of its row and of its detail. */
function useDeadLetterMenu(
  rows: readonly DeadLetter[],
  selection: Selection<DeadLetter>,
  onAct: (kind: 'replay' | 'acknowledge', deadLetters: readonly DeadLetter[]) => void,
): DeadLetterMenu {
  const disabledReason = useDisabledReason();
  const act = (kind: 'replay' | 'acknowledge', envelopeId: string): void =>
    onAct(
      kind,
      rows.filter((row) => row.envelopeId === envelopeId),
    );
  return (row) => [
    {
      text: 'Replay…',
      icon: 'moving',
      shortcut: 'R',
      disabledReason,
      run: () => act('replay', row.envelopeId),
    },
    {
      text: 'Dismiss',
      icon: 'close',
      shortcut: 'A',
      disabledReason,
      run: () => act('acknowledge', row.envelopeId),
    },
    { text: 'Select', icon: 'fine', shortcut: 'X', run: () => selection.toggle(row.envelopeId) },
    {
      text: 'Copy the delivery id',
      icon: 'copy',
      run: () => void copyText(row.deliveryId, 'the delivery id'),
    },
    { text: 'Copy the id', icon: 'copy', run: () => void copyText(row.envelopeId, 'the id') },
  ];
}

type Go = ReturnType<typeof useDeadLettersLocation>['go'];

/** Dismisses one dead letter, which can be undone; the next row is opened. */
function useDismiss({
  workspaceId,
  rows,
  hiding,
  selection,
  go,
  onChanged,
}: {
  readonly workspaceId: string;
  readonly rows: readonly DeadLetter[];
  readonly hiding: ReturnType<typeof useHidden>;
  readonly selection: Selection<DeadLetter>;
  readonly go: Go;
  readonly onChanged: () => void;
}): (envelopeId: string) => void {
  const { client } = useServices();
  return (envelopeId) => {
    const index = rows.findIndex((row) => row.envelopeId === envelopeId);
    const next = rows[index + 1] ?? rows[index - 1] ?? null;
    hiding.hide(envelopeId);
    if (selection.marked.has(envelopeId)) selection.toggle(envelopeId);
    go({ envelopeId: next?.envelopeId ?? null }, true);
    runWithUndo({
      text: `Dismissed a dead letter of ${rows[index]?.provider ?? 'a provider'}.`,
      run: async () => {
        await client.sync.deadLetters.acknowledge(workspaceId, envelopeId);
        onChanged();
      },
      restore: () => {
        hiding.show(envelopeId);
        go({ envelopeId }, true);
      },
    });
  };
}

/** The targets of the keys of the screen. */
interface Handles {
  readonly filterField: RefObject<HTMLInputElement | null>;
  readonly listFocus: RefObject<((begin: boolean) => void) | null>;
  readonly actions: RefObject<DetailActions | null>;
}

function useDeadLetterKeys({
  location: { envelopeId },
  go,
  selection,
  confirm,
}: {
  readonly location: DeadLettersLocation;
  readonly go: Go;
  readonly selection: Selection<DeadLetter>;
  readonly confirm: (kind: 'replay' | 'acknowledge', deadLetters: readonly DeadLetter[]) => void;
}): Handles {
  const filterField = useRef<HTMLInputElement>(null);
  const listFocus = useRef<((begin: boolean) => void) | null>(null);
  const actions = useRef<DetailActions | null>(null);
  const selected = selection.rows;
  useKeys({
    '/': () => filterField.current?.select(),
    ...keysIntoList(() => listFocus.current?.(true)),
    x: () => envelopeId !== null && selection.toggle(envelopeId),
    'mod+a': selection.all,
    c: () => envelopeId !== null && void copyText(envelopeId, 'the id'),
    e: () => actions.current?.edit(),
    r: () => (selected.length > 0 ? confirm('replay', selected) : actions.current?.replay()),
    a: () => (selected.length > 0 ? confirm('acknowledge', selected) : actions.current?.acknowledge()),
    Escape: () => {
      if (selected.length > 0) selection.clear();
      else if (envelopeId !== null && closesDetail()) go({ envelopeId: null });
      listFocus.current?.(false);
    },
  });
  return { filterField, listFocus, actions };
}

const idOf = (deadLetter: DeadLetter): string => deadLetter.envelopeId;

/** The rows of the selected age, without those being dismissed. */
function useVisibleRows(
  items: readonly DeadLetter[] | undefined,
  hidden: ReadonlySet<string>,
  ageMs: number,
): readonly DeadLetter[] {
  const now = useNow();
  // Per minute, so that the list is not filtered every second.
  const minute = Number.isFinite(ageMs) ? Math.floor(now / 60_000) : 0;
  return useMemo(
    () =>
      (items ?? []).filter(
        (row) =>
          !hidden.has(row.envelopeId) &&
          (minute === 0 || Date.parse(row.failedAt) >= minute * 60_000 - ageMs),
      ),
    [items, hidden, ageMs, minute],
  );
}
