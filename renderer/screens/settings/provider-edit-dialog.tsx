// Changes the settings of a provider to which the agent sends. Name, workspace and kind stay: its operations belong to them.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Provider } from '../../../server/contract/providers.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { targetBody, targetOf, targetProblems } from '../../model/outbound/provider-form.ts';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { GeneratedSecret, TargetFields } from './provider-target-fields.tsx';

export function ProviderEditDialog({
  workspaceId,
  provider,
  onSaved,
  onClose,
}: {
  readonly workspaceId: string;
  readonly provider: Provider;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const disabledReason = useDisabledReason();
  const { provider: name } = provider;
  const [before] = useState(() => targetOf(provider));
  const [target, setTarget] = useState(before);
  const [generated, setGenerated] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const isGenerated = generated !== null && target.secret === generated;
  const saving = useMutation({
    mutationFn: async () => await client.providers.update(workspaceId, name, targetBody(target)),
    onSuccess: () => {
      announce(`Provider ${name} saved.`);
      onSaved();
      if (!isGenerated) onClose();
    },
  });
  if (saving.isSuccess && isGenerated)
    return <GeneratedSecret provider={name} secret={target.secret} onClose={onClose} />;
  const problems = targetProblems(target, { keepsSecret: true });
  const unchanged = JSON.stringify(target) === JSON.stringify(before);
  return (
    <FormDialog
      title={`Edit ${name}`}
      submit="Save and test"
      disabledReason={disabledReason ?? (saving.isPending ? 'Saving…' : unchanged ? 'No changes yet.' : null)}
      error={saving.isError ? describeError(saving.error) : null}
      wide
      onSubmit={() => {
        setTried(true);
        if (Object.values(problems).every((problem) => problem === null)) saving.mutate();
      }}
      onClose={() => !saving.isPending && onClose()}
    >
      <TargetFields
        target={target}
        problems={tried ? problems : null}
        keepsSecret
        onChange={setTarget}
        onGenerate={setGenerated}
      />
    </FormDialog>
  );
}
