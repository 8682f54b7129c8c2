// Confirms an action on many operations with their number, runs it oldest first, and lists the failures.
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { OperationBulkResult } from '../../../sdk/index.ts';
import { describeError, useDisabledReason } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import { parseId } from '../../model/ids.ts';
import { Button } from '../buttons/button.tsx';
import { announce } from '../feedback/answers.ts';
import { Dialog } from './dialog.tsx';
import { DialogBody } from './dialog-body.tsx';

/** Limit of one request to the agent. */
const atOnceMax = 1_000;

interface BulkTexts {
  readonly title: string;
  readonly confirm: string;
  readonly text: string;
  /** Participle: `replayed`. */
  readonly done: string;
}

export function BulkOperationsDialog({
  opIds,
  texts,
  run,
  onDone,
  onClose,
}: {
  /** Fixed while the dialog is open; at most `atOnceMax` run in one request. */
  readonly opIds: readonly string[];
  readonly texts: BulkTexts;
  readonly run: (opIds: string[]) => Promise<OperationBulkResult>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const mutation = useMutation({
    mutationFn: async () => await run(oldest(opIds)),
    onSuccess: ({ done, results }) => {
      announce(`${plural(done, 'operation')} ${texts.done}.`);
      if (done === results.length) onClose();
    },
    onSettled: onDone,
  });
  const confirmDisabled = disabledReason ?? (mutation.isPending ? 'Working…' : null);
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <DialogBody
        error={mutation.isError ? describeError(mutation.error) : null}
        actions={
          mutation.isSuccess ? (
            <Button kind="primary" onClick={onClose}>
              Close
            </Button>
          ) : (
            <>
              <Button onClick={onClose}>Close</Button>
              <Button kind="primary" disabledReason={confirmDisabled} onClick={() => mutation.mutate()}>
                {texts.confirm}
              </Button>
            </>
          )
        }
      >
        {mutation.isSuccess ? (
          <FailedOperations result={mutation.data} done={texts.done} />
        ) : (
          <>
            <p className="soft">{texts.text}</p>
            {opIds.length > atOnceMax ? (
              <p className="soft">Only the oldest {count(atOnceMax)} are processed. Repeat for the others.</p>
            ) : null}
          </>
        )}
      </DialogBody>
    </Dialog>
  );
}

/** The failed operations with their reasons. */
function FailedOperations({
  result,
  done,
}: {
  readonly result: OperationBulkResult;
  readonly done: string;
}): ReactElement {
  const failed = result.results.filter((each) => !each.done);
  return (
    <>
      <p>
        {plural(result.done, 'operation')} {done}, {count(failed.length)} failed:
      </p>
      <ul className="cause-list">
        {failed.map(({ opId, message }) => (
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
  return opIds.toSorted((a, b) => parseId(a, 'op') - parseId(b, 'op')).slice(0, atOnceMax);
}
