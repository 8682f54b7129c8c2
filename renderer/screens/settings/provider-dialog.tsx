// Adds a provider; its name is a top-level directory. A secret generated here is shown until it was copied; the agent never
// returns it.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { ProviderCreateBody, ProviderKind } from '../../../server/contract/providers.ts';
import { describeError, useDisabledReason, useServices, useStatus } from '../../api/services.ts';
import { newSigningSecret, providerProblems } from '../../model/outbound/provider-form.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { SegmentsField } from '../../parts/buttons/segments.tsx';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { ShownOnceDialog } from '../../parts/dialogs/shown-once-dialog.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { CheckLine } from '../../parts/fields/checkbox.tsx';
import { Field, TextField } from '../../parts/fields/field.tsx';
import { WorkspaceField } from '../../parts/fields/workspace-field.tsx';

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
  const [target, setTarget] = useState<Target>({ url: '', secret: '', plain: false, local: false });
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
  const url = target.url.trim();
  const { secret } = target;
  const problems = providerProblems({ name: provider, kind, url, secret });
  const submit = (): void => {
    setTried(true);
    if (Object.values(problems).some((each) => each !== null)) return;
    const { plain: allowPlainHttp, local: allowPrivateAddresses } = target;
    mutation.mutate({
      provider,
      kind,
      ...(kind === 'external' ? {} : { url, secret, allowPlainHttp, allowPrivateAddresses }),
    });
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
          onChange={setTarget}
          onGenerate={setGenerated}
          urlError={tried ? problems.url : null}
          secretError={tried ? problems.secret : null}
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

function GeneratedSecret({
  provider,
  secret,
  onClose,
}: {
  readonly provider: string;
  readonly secret: string;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <ShownOnceDialog title={`Signing secret of ${provider}`} what="signing secret" onClose={onClose}>
      <p className="soft">
        The receiver verifies signatures with this secret. The secret is shown only once.
      </p>
      <div className="code-line">
        <code className="code">{secret}</code>
        <CopyButton text={secret} what="the secret" />
      </div>
    </ShownOnceDialog>
  );
}

interface Target {
  readonly url: string;
  readonly secret: string;
  readonly plain: boolean;
  readonly local: boolean;
}

const permissions = [
  { name: 'plain', text: 'Allow HTTP without encryption' },
  { name: 'local', text: 'Allow this computer and private networks' },
] as const;

function TargetFields({
  target,
  onChange,
  onGenerate,
  urlError,
  secretError,
}: {
  readonly target: Target;
  readonly onChange: (target: Target) => void;
  readonly onGenerate: (secret: string) => void;
  readonly urlError: string | null;
  readonly secretError: string | null;
}): ReactElement {
  const generate = (): void => {
    const secret = newSigningSecret(crypto.getRandomValues(new Uint8Array(32)));
    onGenerate(secret);
    onChange({ ...target, secret });
  };
  return (
    <>
      <TextField
        label="URL"
        hint="Only https and public addresses, unless allowed below."
        error={urlError}
        className="input mono"
        value={target.url}
        placeholder="https://provider.example/operations"
        spellCheck={false}
        onChange={(text) => onChange({ ...target, url: text })}
      />
      <Field
        label="Signing secret"
        hint="The receiver verifies signatures with it. The agent never shows it again."
        error={secretError}
      >
        {(wiring) => (
          <span className="row">
            <input
              {...wiring}
              className="input mono"
              value={target.secret}
              placeholder="whsec_…"
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => onChange({ ...target, secret: event.target.value.trim() })}
            />
            {target.secret === '' ? null : <CopyButton text={target.secret} what="the secret" />}
            <Button onClick={generate}>Generate</Button>
          </span>
        )}
      </Field>
      <div className="field">
        {permissions.map(({ name, text }) => (
          <CheckLine
            key={name}
            checked={target[name]}
            onChange={(isChecked) => onChange({ ...target, [name]: isChecked })}
          >
            {text}
          </CheckLine>
        ))}
      </div>
    </>
  );
}
