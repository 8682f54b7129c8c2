// Adds a provider; its name is a top-level directory. A secret generated here is shown until it was copied; the agent never
// returns it.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { ProviderCreateBody, ProviderKind } from '../../../server/contract/providers.ts';
import { describeError, useDisabledReason, useServices, useStatus } from '../../api/services.ts';
import { newTarget, newTargetBody, providerProblems } from '../../model/outbound/provider-form.ts';
import { SegmentsField } from '../../parts/buttons/segments.tsx';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { TextField } from '../../parts/fields/field.tsx';
import { WorkspaceField } from '../../parts/fields/workspace-field.tsx';
import { GeneratedSecret, TargetFields } from './provider-target-fields.tsx';

interface ProviderDialogProps {
  readonly onClose: () => void;
  readonly onAdded: () => void;
}

export function ProviderDialog({ onClose, onAdded }: ProviderDialogProps): ReactElement {
  const { client } = useServices();
  const disabledReason = useDisabledReason();
  const workspaces = useStatus()?.workspaces ?? [];
  const [workspaceId, setWorkspaceId] = useState(workspaces[0]?.workspaceId ?? '');
  const [name, setName] = useState('');
  const [kind, setKind] = useState<ProviderKind>('external');
  const [target, setTarget] = useState(newTarget);
  /** The secret generated here; it is shown once. */
  const [generated, setGenerated] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const mutation = useMutation({
    mutationFn: async (input: ProviderCreateBody) => await client.providers.add(workspaceId, input),
    onSuccess: (provider) => {
      announce(`Provider ${provider.provider} added.`);
      onAdded();
      if (!isGenerated) onClose();
    },
  });
  const isGenerated = kind === 'http' && target.secret === generated;
  if (mutation.data !== undefined && isGenerated)
    return <GeneratedSecret provider={mutation.data.provider} secret={target.secret} onClose={onClose} />;
  const provider = name.trim();
  const problems = providerProblems({ name: provider, kind, target });
  const submit = (): void => {
    setTried(true);
    if (Object.values(problems).some((each) => each !== null)) return;
    mutation.mutate({ provider, kind, ...(kind === 'external' ? {} : newTargetBody(target)) });
  };
  return (
    <FormDialog
      title="Add provider"
      submit="Add provider"
      disabledReason={disabledReason ?? (mutation.isPending ? 'Adding provider…' : null)}
      error={mutation.isError ? describeError(mutation.error) : null}
      wide
      onSubmit={submit}
      onClose={() => !mutation.isPending && onClose()}
    >
      <NameField name={name} error={tried ? problems.name : null} onChange={setName} />
      <WorkspaceField
        workspaces={workspaces}
        value={workspaceId}
        hint="A provider belongs to one workspace."
        onChange={setWorkspaceId}
      />
      <KindField kind={kind} onChange={setKind} />
      {kind === 'http' ? (
        <TargetFields
          target={target}
          problems={tried ? problems : null}
          keepsSecret={false}
          onChange={setTarget}
          onGenerate={setGenerated}
        />
      ) : null}
    </FormDialog>
  );
}

function NameField({
  name,
  error,
  onChange,
}: {
  readonly name: string;
  readonly error: string | null;
  readonly onChange: (name: string) => void;
}): ReactElement {
  return (
    <TextField
      label="Name"
      hint={`The provider receives changes below /${name.trim() === '' ? 'name' : name.trim().toLowerCase()}/.`}
      error={error}
      value={name}
      placeholder="github"
      spellCheck={false}
      onChange={onChange}
    />
  );
}

function KindField({
  kind,
  onChange,
}: {
  readonly kind: ProviderKind;
  readonly onChange: (kind: ProviderKind) => void;
}): ReactElement {
  return (
    <SegmentsField
      label="Delivery"
      hint={
        kind === 'external'
          ? 'A program lists and acknowledges the operations through the API.'
          : 'Each operation is sent with POST, signed with the secret, and retried when it fails.'
      }
      options={[
        { value: 'external', text: 'External consumer' },
        { value: 'http', text: 'Send to URL' },
      ]}
      value={kind}
      onChange={onChange}
    />
  );
}
