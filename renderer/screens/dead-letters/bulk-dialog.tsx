// Confirms, with the count, a replay, an edit or a dismissal of many dead letters.
import type { ReactElement } from 'react';
import type { DeadLetter } from '../../../sdk/index.ts';
import { useServices } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import { causeTitle, splitLastError } from '../../model/inbound/failure-cause.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';

export type BulkAction =
  | { readonly kind: 'replay' | 'acknowledge'; readonly deadLetters: readonly DeadLetter[] }
  | {
      readonly kind: 'edit';
      readonly deadLetters: readonly DeadLetter[];
      readonly patch: Readonly<Record<string, unknown>>;
    };

/** Maximum of the agent per request. */
const idsPerRequest = 1_000;

export function BulkDialog({
  workspaceId,
  action,
  onDone,
  onClose,
}: {
  readonly workspaceId: string;
  readonly action: BulkAction;
  readonly onDone: (text: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { deadLetters } = useServices().client.sync;
  const { kind, deadLetters: targets } = action;
  const ids = targets.map(({ envelopeId }) => envelopeId);
  const run = async (): Promise<void> => {
    let done = 0;
    for (let from = 0; from < ids.length; from += idsPerRequest) {
      const filter = { envelopeIds: ids.slice(from, from + idsPerRequest) };
      const patch = action.kind === 'edit' ? { patch: action.patch } : {};
      const result =
        kind === 'acknowledge'
          ? await deadLetters.acknowledgeMany(workspaceId, { filter })
          : await deadLetters.replayMany(workspaceId, { filter, ...patch });
      done += result.done;
    }
    onDone(`${plural(done, 'dead letter')} ${kind === 'acknowledge' ? 'dismissed' : 'replayed'}.`);
  };
  const verb = kind === 'acknowledge' ? 'Dismiss' : 'Replay';
  return (
    <ConfirmDialog
      title={`${verb} ${plural(ids.length, 'dead letter')}?`}
      confirm={`${verb} ${count(ids.length)}`}
      onConfirm={run}
      onClose={onClose}
    >
      <p className="soft">
        {kind === 'acknowledge'
          ? `The dead ${ids.length === 1 ? 'letter is' : 'letters are'} removed without changing files. This cannot be undone.`
          : 'Replays run in the order of arrival. A failed one returns to this list with its new cause. Outdated events change nothing.'}
      </p>
      {action.kind === 'edit' ? (
        <>
          <p>Edit applied to each payload (the originals are retained):</p>
          <pre className="code">{JSON.stringify(action.patch, null, 2)}</pre>
        </>
      ) : null}
      <ul className="cause-list">
        {countsByCause(targets).map(([cause, number]) => (
          <li key={cause}>
            <span>{cause}</span>
            <span className="number">{count(number)}</span>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

function countsByCause(deadLetters: readonly DeadLetter[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { lastError } of deadLetters) {
    const { cause, text } = splitLastError(lastError);
    const title = cause === null ? text : causeTitle(cause);
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1]);
}
