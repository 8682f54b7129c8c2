// The form of a new access token. CreatedToken shows the token once; the page does not store it.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { AccessTokenCreateBody } from '../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices, useStatus } from '../../api/services.ts';
import { roleIn, useViewer } from '../../api/viewer.ts';
import {
  grantableScopes,
  pathProblem,
  type Scope,
  scopeLabels,
  scopePresets,
} from '../../model/access/token-view.ts';
import { SegmentsField } from '../buttons/segments.tsx';
import { speak } from '../feedback/announcer.tsx';
import { FailureText } from '../feedback/note.tsx';
import { CheckLine } from '../fields/checkbox.tsx';
import { TextField } from '../fields/field.tsx';
import { WorkspaceField } from '../fields/workspace-field.tsx';
import { CreatedToken } from './created-token.tsx';
import { FormDialog } from './form-dialog.tsx';

const dayS = 86_400;
/** In days. */
const lifetimes = [
  { value: 1, text: 'In 1 day' },
  { value: 30, text: 'In 30 days' },
  { value: 90, text: 'In 90 days' },
  { value: 365, text: 'In 1 year' },
];
const agentPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const deletesMax = 1_000_000;

type Access = 'write' | 'read' | 'custom';

export function TokenDialog({
  workspaceId,
  name,
  onClose,
  onCreated,
}: {
  /** null: chosen in the form. */
  readonly workspaceId: string | null;
  /** The workspace's name, for the title. */
  readonly name: string | null;
  readonly onClose: () => void;
  readonly onCreated?: () => void;
}): ReactElement {
  const { client } = useServices();
  const disabledReason = useDisabledReason();
  const workspaces = useStatus()?.workspaces ?? [];
  const [chosen, setChosen] = useState(workspaceId ?? workspaces[0]?.workspaceId ?? '');
  const viewer = useViewer();
  const form = useTokenForm(grantableScopes(viewer?.owner === false ? roleIn(viewer, chosen) : null));
  const mutation = useMutation({
    mutationFn: async (input: AccessTokenCreateBody) => await client.tokens.create(chosen, input),
    onSuccess: () => {
      speak('Token created. It is shown only once.');
      onCreated?.();
    },
  });
  if (mutation.data !== undefined) return <CreatedToken created={mutation.data} onClose={onClose} />;

  const submit = (): void => {
    if (form.body !== null) mutation.mutate(form.body);
  };
  return (
    <FormDialog
      title={name === null ? 'Create token' : `Access token for ${name}`}
      submit="Create token"
      disabledReason={disabledReason ?? (mutation.isPending ? 'Creating token…' : null)}
      error={mutation.isError ? describeError(mutation.error) : null}
      note="Shown only once, after creation"
      wide
      onSubmit={submit}
      // Closing now would lose the token, which is shown only once.
      onClose={() => !mutation.isPending && onClose()}
    >
      <NameField form={form} />
      {workspaceId !== null ? null : (
        <WorkspaceField
          workspaces={workspaces}
          value={chosen}
          hint="A token is valid for one workspace."
          onChange={setChosen}
        />
      )}
      <Access form={form} />
      <LimitFields form={form} />
    </FormDialog>
  );
}

interface TokenValues {
  readonly agent: string;
  readonly access: Access;
  /** Selected in the custom access. */
  readonly scopes: readonly Scope[];
  readonly path: string;
  readonly days: number;
  readonly deletes: string;
}

interface TokenForm {
  readonly values: TokenValues;
  readonly grantable: readonly Scope[];
  readonly errors: Readonly<Record<'agent' | 'scopes' | 'path' | 'deletes', string | null>>;
  /** null: a value is invalid. */
  readonly body: AccessTokenCreateBody | null;
  readonly change: (change: Partial<TokenValues>) => void;
}

/** `grantable`: what the viewer can give in the chosen workspace. */
function useTokenForm(grantable: readonly Scope[]): TokenForm {
  const [values, setValues] = useState<TokenValues>({
    agent: 'my-agent',
    access: 'write',
    scopes: scopePresets.write,
    path: '',
    days: 30,
    deletes: '',
  });
  const { agent, days, deletes } = values;
  const mayWrite = grantable.includes('fs:write');
  const access = values.access === 'write' && !mayWrite ? 'read' : values.access;
  const path = values.path.trim();
  const scopes = (access === 'custom' ? values.scopes : scopePresets[access]).filter((scope) =>
    grantable.includes(scope),
  );
  const hasFileScope = scopes.some((scope) => scope.startsWith('fs:'));
  const errors = {
    agent: agentPattern.test(agent) ? null : 'Use up to 128 letters, digits, dots, dashes and underscores.',
    scopes: scopes.length === 0 ? 'Select at least one scope.' : null,
    path:
      pathProblem(path) ??
      (path !== '' && !hasFileScope ? 'A path requires the scope fs:read or fs:write.' : null),
    deletes: deletesProblem(deletes),
  };
  const isValid = Object.values(errors).every((error) => error === null);
  const body = {
    agent,
    scopes: [...scopes],
    ttlSeconds: days * dayS,
    ...(path === '' ? {} : { path }),
    ...(deletes === '' ? {} : { deletesPerMinute: Number(deletes) }),
  };
  return {
    values: { ...values, access, scopes: access === 'custom' ? scopes : values.scopes },
    grantable,
    errors,
    body: isValid ? body : null,
    change: (change) => setValues((before) => ({ ...before, ...change })),
  };
}

function NameField({ form }: { readonly form: TokenForm }): ReactElement {
  return (
    <TextField
      label="Name"
      hint="Shown next to its changes in history"
      error={form.errors.agent}
      value={form.values.agent}
      spellCheck={false}
      onChange={(text) => form.change({ agent: text })}
    />
  );
}

function LimitFields({ form }: { readonly form: TokenForm }): ReactElement {
  return (
    <>
      <TextField
        label="Path"
        hint="Leave empty for all files. /docs/** allows the files below /docs only."
        error={form.errors.path}
        className="input mono"
        value={form.values.path}
        placeholder="/docs/**"
        spellCheck={false}
        onChange={(text) => form.change({ path: text })}
      />
      <SegmentsField
        label="Expires"
        options={lifetimes}
        value={form.values.days}
        onChange={(days) => form.change({ days })}
      />
      <TextField
        label="Delete limit per minute"
        hint="Leave empty for unlimited"
        error={form.errors.deletes}
        className="input short"
        inputMode="numeric"
        value={form.values.deletes}
        onChange={(text) => form.change({ deletes: text.trim() })}
      />
    </>
  );
}

function Access({ form }: { readonly form: TokenForm }): ReactElement {
  const { access, scopes } = form.values;
  const error = form.errors.scopes;
  return (
    <SegmentsField
      label="Permissions"
      options={[
        ...(form.grantable.includes('fs:write') ? [{ value: 'write' as const, text: 'Read and write' }] : []),
        { value: 'read', text: 'Read only' },
        { value: 'custom', text: 'Custom…' },
      ]}
      value={access}
      onChange={(next: Access) => {
        const isFirstCustom = next === 'custom' && access !== 'custom';
        form.change({ access: next, ...(isFirstCustom ? { scopes: scopePresets[access] } : {}) });
      }}
    >
      {access !== 'custom' ? null : (
        <fieldset className="scope-choice">
          <legend className="reader-only">Scopes</legend>
          {scopeLabels
            .filter(({ scope }) => form.grantable.includes(scope))
            .map(({ scope, label }) => (
              <CheckLine
                key={scope}
                checked={scopes.includes(scope)}
                onChange={(isChecked) =>
                  form.change({
                    scopes: scopeLabels
                      .map((each) => each.scope)
                      .filter((each) => (each === scope ? isChecked : scopes.includes(each))),
                  })
                }
              >
                <span className="mono">{scope}</span> <span className="faint">{label}</span>
              </CheckLine>
            ))}
        </fieldset>
      )}
      <FailureText error={error} />
    </SegmentsField>
  );
}

function deletesProblem(text: string): string | null {
  if (text === '') return null;
  const value = Number(text);
  const isValid = /^\d+$/.test(text) && value >= 1 && value <= deletesMax;
  return isValid ? null : 'Enter a whole number from 1 to 1,000,000.';
}
