// Something with many operations, oldest first: asked with their number, and told of each that could not be.
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { OperationBulkResult } from '../../../sdk/index.ts';
import { describeError, useDisabledReason } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import { Button } from '../buttons/button.tsx';
import { announce } from '../feedback/announcer.tsx';
import { Dialog } from './dialog.tsx';
import { DialogBody } from './dialog-body.tsx';

/** What the agent takes in one request. */
const atOnceMax = 1_000;

interface BulkTexts {
  readonly title: string;
  readonly confirm: string;
  readonly text: string;
  /** What has become of them: `replayed`. */
  readonly done: string;
}

export function BulkOperationsDialog({
  opIds,
  words,
  run,
  onDone,
  onClose,
}: {
  /** What is asked about is what is done, also when the list changes meanwhile. At most `atOnceMax` of it at once. */
  readonly opIds: readonly string[];
  readonly words: BulkTexts;
  readonly run: (opIds: string[]) => Promise<OperationBulkResult>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const mutation = useMutation({
    mutationFn: async () => await run(oldest(opIds)),
    onSuccess: ({ done, results }) => {
      announce(`${plural(done, 'operation')} ${words.done}.`);
      if (done === results.length) onClose();
    },
    onSettled: onDone,
  });
  const cannot = disabledReason ?? (mutation.isPending ? 'It is being done.' : null);
  return (
    <Dialog title={words.title} onClose={onClose}>
      <DialogBody
        error={mutation.isError ? describeError(mutation.error) : null}
        actions={
          mutation.isSuccess ? (
            <Button kind="primary" onClick={onClose}>
              Close
            </Button>
          ) : (
            <>
              <Button onClick={onClose}>Cancel</Button>
              <Button kind="primary" disabledReason={cannot} onClick={() => mutation.mutate()}>
                {words.confirm}
              </Button>
            </>
          )
        }
      >
        {mutation.isSuccess ? (
          <FailedOperations result={mutation.data} done={words.done} />
        ) : (
          <>
            <p className="soft">{words.text}</p>
            {opIds.length > atOnceMax ? (
              <p className="soft">The oldest {count(atOnceMax)} go now; ask again for the others.</p>
            ) : null}
          </>
        )}
      </DialogBody>
    </Dialog>
  );
}

/** Those that it could not be done with, each with its reason. */
function FailedOperations({
  result,
  done,
}: {
  readonly result: OperationBulkResult;
  readonly done: string;
}): ReactElement {
  const refused = result.results.filter((one) => !one.done);
  return (
    <>
      <p>
        {plural(result.done, 'operation')} {done}, {count(refused.length)} not:
      </p>
      <ul className="cause-list">
        {refused.map(({ opId, message }) => (
          <li key={opId}>
            <span className="mono">{opId}</span>
            <span>{message ?? ''}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function oldest(opIds: readonly string[]): string[] {
  return opIds.toSorted((a, b) => numberOf(a) - numberOf(b)).slice(0, atOnceMax);
}

function numberOf(opId: string): number {
  return Number(opId.replace(/^op_/, '')) || 0;
}
