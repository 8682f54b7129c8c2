// The fields of a provider to which the agent sends, and its new secret, which is shown once. Used by the dialogs that add and edit.
import type { ReactElement } from 'react';
import {
  newSigningSecret,
  type ProviderTarget,
  type TargetProblems,
} from '../../model/outbound/provider-form.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { ShownOnceDialog } from '../../parts/dialogs/shown-once-dialog.tsx';
import { CheckLine } from '../../parts/fields/checkbox.tsx';
import { Field, TextField } from '../../parts/fields/field.tsx';

const permissions = [
  { name: 'plain', text: 'Allow HTTP without encryption' },
  { name: 'local', text: 'Allow this computer and private networks' },
] as const;

interface TargetFieldsProps {
  readonly target: ProviderTarget;
  /** null: not shown yet. */
  readonly problems: TargetProblems | null;
  /** The provider has a secret, which it keeps while the field is empty. */
  readonly keepsSecret: boolean;
  readonly onChange: (target: ProviderTarget) => void;
  readonly onGenerate: (secret: string) => void;
}

export function TargetFields(props: TargetFieldsProps): ReactElement {
  const { target, problems, onChange } = props;
  return (
    <>
      <TextField
        label="URL"
        hint="Only https and public addresses, unless allowed below."
        error={problems?.url ?? null}
        className="input mono"
        value={target.url}
        placeholder="https://provider.example/operations"
        spellCheck={false}
        onChange={(url) => onChange({ ...target, url })}
      />
      <SecretField {...props} />
      <TextField
        label="Refresh URL"
        hint="Optional. A refresh pulls the files of the provider from it."
        error={problems?.refreshUrl ?? null}
        className="input mono"
        value={target.refreshUrl}
        placeholder="https://provider.example/files"
        spellCheck={false}
        onChange={(refreshUrl) => onChange({ ...target, refreshUrl })}
      />
      <TextField
        label="Time limit in seconds"
        hint="A complete response that takes longer is a failed attempt."
        error={problems?.timeout ?? null}
        className="input number-input"
        inputMode="decimal"
        value={target.timeout}
        onChange={(timeout) => onChange({ ...target, timeout })}
      />
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

function SecretField({
  target,
  problems,
  keepsSecret,
  onChange,
  onGenerate,
}: TargetFieldsProps): ReactElement {
  const generate = (): void => {
    const secret = newSigningSecret(crypto.getRandomValues(new Uint8Array(32)));
    onGenerate(secret);
    onChange({ ...target, secret });
  };
  return (
    <Field
      label="Signing secret"
      hint={
        keepsSecret
          ? 'Leave empty to keep the current secret, which the agent never shows.'
          : 'The receiver verifies signatures with it. The agent never shows it again.'
      }
      error={problems?.secret ?? null}
    >
      {(wiring) => (
        <span className="row">
          <input
            {...wiring}
            className="input mono"
            value={target.secret}
            placeholder={keepsSecret ? 'Unchanged' : 'whsec_…'}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onChange({ ...target, secret: event.target.value.trim() })}
          />
          {target.secret === '' ? null : <CopyButton text={target.secret} what="the secret" />}
          <Button onClick={generate}>Generate</Button>
        </span>
      )}
    </Field>
  );
}

export function GeneratedSecret({
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
