// Sets the deletion limit of a mirror, and lists what always halts it.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Mirror } from '../../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices } from '../../../api/services.ts';
import { count } from '../../../model/format.ts';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { announce } from '../../../parts/feedback/answers.ts';
import { TextField } from '../../../parts/fields/field.tsx';

const defaultLimit = 1_000;
const deletesMax = 1_000_000;

export function DeletionLimitDialog({
  name,
  mirror,
  onClose,
}: {
  readonly name: string;
  readonly mirror: Mirror;
  readonly onClose: () => void;
}): ReactElement {
  const { client, link } = useServices();
  const disabledReason = useDisabledReason();
  const [typed, setTyped] = useState(String(mirror.deletesPerMinuteMax));
  const number = /^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN;
  const isNumber = number >= 1 && number <= deletesMax;
  const set = useMutation({
    mutationFn: async () =>
      await client.mirrors.setDeletionLimit(
        mirror.workspaceId,
        mirror.mirrorId,
        number === defaultLimit ? null : number,
      ),
    onSuccess: ({ deletesPerMinuteMax }) => {
      announce(`Deletion limit of ${name}: ${count(deletesPerMinuteMax)} per minute.`);
      onClose();
    },
    onSettled: () => link.tryNow(),
  });
  return (
    <FormDialog
      title={`Deletion limit of ${name}`}
      submit="Set deletion limit"
      disabledReason={
        disabledReason ??
        (set.isPending ? 'Saving…' : number === mirror.deletesPerMinuteMax ? 'No changes yet.' : null)
      }
      onSubmit={() => {
        if (isNumber) set.mutate();
      }}
      onClose={onClose}
    >
      <p className="soft">
        Above this limit the mirror halts, deletes nothing and waits for your decision. It always halts when
        the folder is missing or was replaced, when all files are deleted, and when more than half of at least
        ten are.
      </p>
      <TextField
        label="Deletion limit per minute"
        hint={`Default: ${count(defaultLimit)}. Takes effect immediately.`}
        error={
          set.isError
            ? describeError(set.error)
            : isNumber
              ? null
              : `Enter a whole number from 1 to ${count(deletesMax)}.`
        }
        className="input number-input"
        inputMode="numeric"
        value={typed}
        onChange={setTyped}
      />
    </FormDialog>
  );
}
