// What is asked before an item is marked sent, marked failed, or held back. The answer of the agent stays at the dialog.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Operation } from '../../../server/contract/operations.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { DialogBody } from '../../parts/dialogs/dialog-body.tsx';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { announce } from '../../parts/feedback/announcer.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Field } from '../../parts/fields/field.tsx';

interface DialogProps {
  readonly workspaceId: string;
  readonly operation: Operation;
  readonly onClose: () => void;
}

/** Runs once, says what came of it, and has the lists read again. */
function useOperationAction(
  { workspaceId, onClose }: DialogProps,
  done: string,
  run: () => Promise<unknown>,
) {
  const { queries } = useServices();
  const disabledReason = useDisabledReason();
  const mutation = useMutation({
    mutationFn: run,
    onSuccess: () => {
      announce(done);
      onClose();
    },
    onSettled: async () => await queries.invalidateQueries({ queryKey: ['outbound', workspaceId] }),
  });
  return {
    error: mutation.isError ? describeError(mutation.error) : null,
    disabledReason: disabledReason ?? (mutation.isPending ? 'It is being done.' : null),
    run: () => {
      if (disabledReason === null && !mutation.isPending) mutation.mutate();
    },
  };
}

export function MarkSentDialog(props: DialogProps): ReactElement {
  const { client } = useServices();
  const { operation, workspaceId } = props;
  const [externalId, setExternalId] = useState('');
  const action = useOperationAction(props, 'It is marked sent.', async () => {
    const id = externalId.trim();
    await client.ackWriteback(workspaceId, operation.opId, id === '' ? {} : { externalId: id });
  });
  return (
    <OperationFormDialog
      title="Mark sent"
      operation={operation}
      text={`It is taken as carried to ${operation.provider ?? 'its provider'}, and is not sent again.`}
      field={{
        label: 'The provider’s id',
        hint: 'If the file stands under a draft’s name, it moves to this one. Empty: it keeps its name.',
        value: externalId,
        onChange: setExternalId,
      }}
      submit="Mark sent"
      cannot={null}
      action={action}
      onClose={props.onClose}
    />
  );
}

export function MarkFailedDialog(props: DialogProps): ReactElement {
  const { client } = useServices();
  const { operation, workspaceId } = props;
  const [cause, setCause] = useState('');
  const action = useOperationAction(props, 'It is marked failed.', async () => {
    await client.ackWriteback(workspaceId, operation.opId, { success: false, error: cause.trim() });
  });
  return (
    <OperationFormDialog
      title="Mark failed"
      operation={operation}
      text="It is dead-lettered at once. The file stays as it is, and Retry can send it later."
      field={{
        label: 'Cause',
        hint: 'Stands at the item, for whoever mends it.',
        value: cause,
        onChange: setCause,
      }}
      submit="Mark failed"
      cannot={cause.trim() === '' ? 'Say the cause first.' : null}
      action={action}
      onClose={props.onClose}
    />
  );
}

function OperationFormDialog({
  title,
  operation,
  text,
  field,
  submit,
  cannot,
  action,
  onClose,
}: {
  readonly title: string;
  readonly operation: Operation;
  readonly text: string;
  readonly field: {
    readonly label: string;
    readonly hint: string;
    readonly value: string;
    readonly onChange: (value: string) => void;
  };
  readonly submit: string;
  /** What is still missing. */
  readonly cannot: string | null;
  readonly action: ReturnType<typeof useOperationAction>;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <FormDialog
      title={title}
      submit={submit}
      disabledReason={cannot ?? action.disabledReason}
      onSubmit={action.run}
      onClose={onClose}
    >
      <PathText path={operation.path ?? operation.opId} />
      <p className="soft">{text}</p>
      <Field label={field.label} hint={field.hint} error={action.error}>
        {(wiring) => (
          <input
            {...wiring}
            className="input"
            value={field.value}
            autoComplete="off"
            onChange={(event) => field.onChange(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

/** There is no way back from it, so it asks: the next change of the file goes out, this one never. */
export function CancelDialog(props: DialogProps): ReactElement {
  const { client } = useServices();
  const { operation, workspaceId, onClose } = props;
  const provider = operation.provider ?? 'the provider';
  const action = useOperationAction(props, 'It is not sent.', async () => {
    await client.cancelWriteback(workspaceId, operation.opId);
  });
  return (
    <Dialog title="Do not send this change?" onClose={onClose}>
      <DialogBody
        error={action.error}
        actions={
          <>
            <Button onClick={onClose}>Keep it</Button>
            <Button icon="canceled" disabledReason={action.disabledReason} onClick={action.run}>
              Do not send
            </Button>
          </>
        }
      >
        <PathText path={operation.path ?? operation.opId} />
        <p className="soft">
          {provider} never gets this change. The file stays as it is here, and its next change is sent as
          usual.
        </p>
      </DialogBody>
    </Dialog>
  );
}
