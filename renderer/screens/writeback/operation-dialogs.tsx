// Dialogs that mark an operation as sent or failed, or cancel it. Errors of the agent are shown in the dialog.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Operation } from '../../../server/contract/operations.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { DialogBody } from '../../parts/dialogs/dialog-body.tsx';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { TextField } from '../../parts/fields/field.tsx';

interface DialogProps {
  readonly workspaceId: string;
  readonly operation: Operation;
  readonly onClose: () => void;
}

/** Runs a request, announces the result, refetches the lists. */
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
    disabledReason: disabledReason ?? (mutation.isPending ? 'Working…' : null),
    run: () => {
      if (disabledReason === null && !mutation.isPending) mutation.mutate();
    },
  };
}

export function MarkSentDialog(props: DialogProps): ReactElement {
  const { client } = useServices();
  const { operation, workspaceId } = props;
  const [externalId, setExternalId] = useState('');
  const action = useOperationAction(props, 'Operation marked as sent.', async () => {
    const id = externalId.trim();
    await client.writeback.acknowledge(workspaceId, operation.opId, id === '' ? {} : { externalId: id });
  });
  return (
    <OperationFormDialog
      title="Mark sent"
      operation={operation}
      text={`The operation counts as delivered to ${operation.provider ?? 'its provider'} and is not sent again.`}
      field={{
        label: 'External id',
        hint: 'Id from the provider. A draft is renamed to it; leave empty to keep its name.',
        value: externalId,
        onChange: setExternalId,
      }}
      submit="Mark sent"
      missing={null}
      action={action}
      onClose={props.onClose}
    />
  );
}

export function MarkFailedDialog(props: DialogProps): ReactElement {
  const { client } = useServices();
  const { operation, workspaceId } = props;
  const [cause, setCause] = useState('');
  const action = useOperationAction(props, 'Operation marked as failed.', async () => {
    await client.writeback.acknowledge(workspaceId, operation.opId, { success: false, error: cause.trim() });
  });
  return (
    <OperationFormDialog
      title="Mark failed"
      operation={operation}
      text="The operation is dead-lettered. The file is unchanged, and Retry can send it later."
      field={{
        label: 'Cause',
        hint: 'Shown with the operation.',
        value: cause,
        onChange: setCause,
      }}
      submit="Mark failed"
      missing={cause.trim() === '' ? 'Enter the cause first.' : null}
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
  missing,
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
  /** The missing input; null: none. */
  readonly missing: string | null;
  readonly action: ReturnType<typeof useOperationAction>;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <FormDialog
      title={title}
      submit={submit}
      disabledReason={missing ?? action.disabledReason}
      onSubmit={action.run}
      onClose={onClose}
    >
      <PathText path={operation.path ?? operation.opId} />
      <p className="soft">{text}</p>
      <TextField
        label={field.label}
        hint={field.hint}
        error={action.error}
        value={field.value}
        onChange={field.onChange}
      />
    </FormDialog>
  );
}

/** Cannot be undone, so it asks: this change is never sent; the next change of the file is. */
export function CancelDialog(props: DialogProps): ReactElement {
  const { client } = useServices();
  const { operation, workspaceId, onClose } = props;
  const provider = operation.provider ?? 'the provider';
  const action = useOperationAction(props, 'Operation canceled.', async () => {
    await client.writeback.cancel(workspaceId, operation.opId);
  });
  return (
    <Dialog title="Cancel this operation?" onClose={onClose}>
      <DialogBody
        error={action.error}
        actions={
          <>
            <Button onClick={onClose}>Keep operation</Button>
            <Button icon="canceled" disabledReason={action.disabledReason} onClick={action.run}>
              Cancel operation
            </Button>
          </>
        }
      >
        <PathText path={operation.path ?? operation.opId} />
        <p className="soft">
          This change will not be sent to {provider}. The file is unchanged; later changes are sent.
        </p>
      </DialogBody>
    </Dialog>
  );
}
