// Asks, with the count, before many letters are replayed, replayed with one edit, or acknowledged.
import type { ReactElement } from 'react';
import type { DeadLetter } from '../../../sdk/index.ts';
import { useServices } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import { causeTitle, splitLastError } from '../../model/inbound/failure-cause.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';

export type BulkAction =
  | { readonly kind: 'replay' | 'acknowledge'; readonly letters: readonly DeadLetter[] }
  | {
      readonly kind: 'edit';
      readonly letters: readonly DeadLetter[];
      readonly patch: Readonly<Record<string, unknown>>;
    };

/** What the agent takes in one request. */
const perRequest = 1_000;

export function BulkDialog({
  workspaceId,
  question,
  onDone,
  onClose,
}: {
  readonly workspaceId: string;
  readonly question: BulkAction;
  readonly onDone: (sentence: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { deadLetters } = useServices().client.sync;
  const { kind, letters } = question;
  const ids = letters.map((letter) => letter.envelopeId);
  const run = async (): Promise<void> => {
    let done = 0;
    for (let from = 0; from < ids.length; from += perRequest) {
      const filter = { envelopeIds: ids.slice(from, from + perRequest) };
      const patch = question.kind === 'edit' ? { patch: question.patch } : {};
      const result =
        kind === 'acknowledge'
          ? await deadLetters.acknowledgeMany(workspaceId, { filter })
          : await deadLetters.replayMany(workspaceId, { filter, ...patch });
      done += result.done;
    }
    const verb = kind === 'acknowledge' ? 'acknowledged' : 'replayed';
    onDone(`${plural(done, 'letter')} ${verb}.`);
  };
  const number = count(ids.length);
  const words = ids.length === 1 ? 'letter' : 'letters';
  return (
    <ConfirmDialog
      title={kind === 'acknowledge' ? `Acknowledge ${number} ${words}?` : `Replay ${number} ${words}?`}
      confirm={kind === 'acknowledge' ? `Acknowledge ${number}` : `Replay ${number}`}
      onConfirm={run}
      onClose={onClose}
    >
      <p className="soft">
        {kind === 'acknowledge'
          ? `${ids.length === 1 ? 'It leaves this list and changes' : 'They leave this list and change'} no file. This cannot be undone.`
          : 'Each is tried again, in the order of arrival. One that fails comes back with its new cause; one that is older than what was applied since changes nothing.'}
      </p>
      {question.kind === 'edit' ? (
        <>
          <p>The same edit for all; each original is kept beside it:</p>
          <pre className="code">{JSON.stringify(question.patch, null, 2)}</pre>
        </>
      ) : null}
      <ul className="cause-list">
        {countsByCause(letters).map(([cause, of]) => (
          <li key={cause}>
            <span>{cause}</span>
            <span className="number">{count(of)}</span>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

function countsByCause(letters: readonly DeadLetter[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const letter of letters) {
    const { cause, text } = splitLastError(letter.lastError);
    const title = cause === null ? text : causeTitle(cause);
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1]);
}
