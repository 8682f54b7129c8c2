// Which webhooks could not become file changes, why, and how are they mended? List and detail; the address holds the state.
import { type ReactElement, useMemo, useRef, useState } from 'react';
import type { DeadLetter } from '../../sdk/index.ts';
import type { Workspace } from '../../server/contract/workspaces.ts';
import { useDisabledReason, useServices } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import { plural } from '../model/format.ts';
import { Button } from '../parts/buttons/button.tsx';
import { copyText } from '../parts/buttons/copy.tsx';
import { announce } from '../parts/feedback/announcer.tsx';
import { focusReadingRegion } from '../parts/feedback/reading-region.tsx';
import { useNow } from '../parts/feedback/time.tsx';
import { runWithUndo, useHidden } from '../parts/feedback/undo.tsx';
import { OneWorkspace } from '../parts/fields/one-workspace.tsx';
import { keysIntoList } from '../parts/tables/list-keys.ts';
import { useSelection } from '../parts/tables/selection.tsx';
import { type BulkAction, BulkDialog } from './dead-letters/bulk-dialog.tsx';
import { DeadLetterPane, type DetailActions } from './dead-letters/detail.tsx';
import { DeadLetterFilters } from './dead-letters/filters.tsx';
import { DeadLetterList } from './dead-letters/list.tsx';
import { ages, useDeadLettersLocation } from './dead-letters/location.ts';
import { deadLettersKey, useDeadLetters, useIngress } from './dead-letters/queries.ts';

export function DeadLettersScreen(): ReactElement {
  return (
    <OneWorkspace title="Dead letters">
      {(workspace) => <WorkspaceDeadLetters key={workspace.workspaceId} workspace={workspace} />}
    </OneWorkspace>
  );
}

function WorkspaceDeadLetters({
  workspace: { workspaceId },
}: {
  readonly workspace: Workspace;
}): ReactElement {
  const { client, queries } = useServices();
  const disabledReason = useDisabledReason();
  const { place, go } = useDeadLettersLocation(workspaceId);
  const letters = useDeadLetters(workspaceId, place);
  const ingress = useIngress(workspaceId);
  const { hidden, hide, show } = useHidden();
  const rows = useVisibleRows(letters.data?.items, hidden, ages[place.age].ms);
  const selection = useSelection(rows, idOf);
  const selected = selection.rows;
  const [question, setQuestion] = useState<BulkAction | null>(null);
  const filterField = useRef<HTMLInputElement>(null);
  const listFocus = useRef<((begin: boolean) => void) | null>(null);
  const detailActions = useRef<DetailActions | null>(null);

  const changed = (): void => void queries.invalidateQueries({ queryKey: deadLettersKey(workspaceId) });
  const acknowledge = (envelopeId: string): void => {
    const index = rows.findIndex((row) => row.envelopeId === envelopeId);
    const next = rows[index + 1] ?? rows[index - 1] ?? null;
    hide(envelopeId);
    if (selection.marked.has(envelopeId)) selection.toggle(envelopeId);
    go({ envelopeId: next?.envelopeId ?? null }, true);
    runWithUndo({
      text: `Acknowledged ${envelopeId}.`,
      run: async () => {
        await client.sync.deadLetters.acknowledge(workspaceId, envelopeId);
        changed();
      },
      restore: () => {
        show(envelopeId);
        go({ envelopeId }, true);
      },
    });
  };
  /** One acknowledged letter can be taken back, so only several are asked about. */
  const ask = (kind: 'replay' | 'acknowledge', of: readonly DeadLetter[]): void => {
    const [only] = of;
    if (kind === 'acknowledge' && of.length === 1 && only !== undefined) acknowledge(only.envelopeId);
    else setQuestion({ kind, letters: of });
  };
  const close = (): void => go({ envelopeId: null });
  useKeys({
    '/': () => filterField.current?.select(),
    ...keysIntoList(() => listFocus.current?.(true)),
    x: () => place.envelopeId !== null && selection.toggle(place.envelopeId),
    'mod+a': selection.all,
    c: () => place.envelopeId !== null && void copyText(place.envelopeId, 'the id'),
    e: () => detailActions.current?.edit(),
    r: () => (selected.length > 0 ? ask('replay', selected) : detailActions.current?.replay()),
    a: () => (selected.length > 0 ? ask('acknowledge', selected) : detailActions.current?.acknowledge()),
    Escape: () => {
      const inList = document.activeElement?.closest('.list') !== null;
      if (selected.length > 0) selection.clear();
      else if (place.envelopeId !== null && inList) close();
      listFocus.current?.(false);
    },
  });
  const total = ingress.data?.deadLetterTotal;
  return (
    <div className="work">
      <header className="work-head">
        <h1>Dead letters</h1>
        {total === undefined || total === 0 ? null : (
          <span className="soft">
            {plural(total, 'webhook')} could not become {total === 1 ? 'a file change' : 'file changes'}
          </span>
        )}
        {rows.length === 0 ? null : (
          <span className="end">
            <Button icon="moving" disabledReason={disabledReason} onClick={() => ask('replay', rows)}>
              {rows.length === 1 ? 'Replay 1…' : `Replay all ${rows.length}…`}
            </Button>
          </span>
        )}
      </header>
      <DeadLetterFilters
        place={place}
        go={go}
        ingress={ingress.data}
        filterField={filterField}
        onDone={() => listFocus.current?.(true)}
      />
      <div className={place.envelopeId === null ? 'work-panes' : 'work-panes with-detail'}>
        <DeadLetterList
          workspaceId={workspaceId}
          query={letters}
          rows={rows}
          accepted={ingress.data?.acceptedTotal}
          place={place}
          go={go}
          selection={selection}
          onAsk={ask}
          focusHandle={listFocus}
          onEnter={focusReadingRegion}
          onChanged={changed}
        />
        <section className="pane detail" aria-label="Letter">
          {place.envelopeId === null ? (
            <div className="empty unselected">
              <p>No letter is selected. J and K, or the arrows, move through the list; Enter opens.</p>
            </div>
          ) : (
            <DeadLetterPane
              key={place.envelopeId}
              workspaceId={workspaceId}
              envelopeId={place.envelopeId}
              selected={selected}
              actions={detailActions}
              onAcknowledge={acknowledge}
              onSameEdit={(patch) => setQuestion({ kind: 'edit', letters: selected, patch })}
              onChanged={changed}
              onClose={close}
            />
          )}
        </section>
      </div>
      {question === null ? null : (
        <BulkDialog
          workspaceId={workspaceId}
          question={question}
          onDone={(sentence) => {
            announce(sentence);
            selection.clear();
            changed();
          }}
          onClose={() => setQuestion(null)}
        />
      )}
    </div>
  );
}

const idOf = (letter: DeadLetter): string => letter.envelopeId;

/** The letters of the chosen age, without those that are being acknowledged. */
function useVisibleRows(
  items: readonly DeadLetter[] | undefined,
  hidden: ReadonlySet<string>,
  ageMs: number,
): readonly DeadLetter[] {
  const now = useNow();
  // By the minute: a row that grows too old goes without the whole list being made anew each second.
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
