// Creates a run, in which an agent or a program then works.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { runsKey } from '../../api/runs.ts';
import { describeError, useServices } from '../../api/services.ts';
import { useRoleReason } from '../../api/viewer.ts';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { TextField } from '../../parts/fields/field.tsx';

const nameCharactersMax = 200;

export function NewRunDialog({
  workspaceId,
  onCreated,
  onClose,
}: {
  readonly workspaceId: string;
  readonly onCreated: (runId: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const queries = useQueryClient();
  const disabledReason = useRoleReason(workspaceId, 'editor');
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: async () => await client.runs.create(workspaceId, { name: name.trim() }),
    onSuccess: async ({ runId }) => {
      await queries.invalidateQueries({ queryKey: runsKey(workspaceId) });
      onCreated(runId);
      onClose();
    },
  });
  return (
    <FormDialog
      title="New run"
      submit="Create run"
      disabledReason={name.trim() === '' ? 'Enter a name.' : create.isPending ? 'Creating…' : disabledReason}
      error={create.isError ? describeError(create.error) : null}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="What the run is for, for example “Rename glossary terms”"
        maxLength={nameCharactersMax}
        value={name}
        onChange={setName}
      />
      <p className="soft">
        Pass the id of the run to an agent, or its fork to a program. The workspace does not change before the
        commit.
      </p>
    </FormDialog>
  );
}
