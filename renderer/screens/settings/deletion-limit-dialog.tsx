// When a mirror stops and asks instead of deleting: what always halts it, and the one number that can be chosen.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { announce } from '../../parts/feedback/announcer.tsx';
import { Field } from '../../parts/fields/field.tsx';

const usual = 1_000;
const deletesMax = 1_000_000;

export function GuardDialog({
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
      await client.mirrors.setGuard(mirror.workspaceId, mirror.mirrorId, number === usual ? null : number),
    onSuccess: ({ deletesPerMinuteMax }) => {
      announce(`${name} halts beyond ${plural(deletesPerMinuteMax, 'deletion')} a minute.`);
      onClose();
    },
    onSettled: () => link.tryNow(),
  });
  return (
    <FormDialog
      title={`When ${name} halts`}
      submit="Set the guard"
      disabledReason={
        disabledReason ??
        (set.isPending
          ? 'It is being set.'
          : number === mirror.deletesPerMinuteMax
            ? 'Nothing is changed yet.'
            : null)
      }
      onSubmit={() => {
        if (isNumber) set.mutate();
      }}
      onClose={onClose}
    >
      <p className="soft">
        A halted mirror deletes nothing and asks. It always halts when the folder is gone or is another one,
        when all its files vanish, and when more than half of at least ten do.
      </p>
      <Field
        label="Deletions a minute that are believed"
        hint={`${count(usual)} unless you choose another number. It holds at once.`}
        error={
          set.isError
            ? describeError(set.error)
            : isNumber
              ? null
              : `A whole number from 1 to ${count(deletesMax)}.`
        }
      >
        {(wiring) => (
          <input
            {...wiring}
            className="input number-input"
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}
