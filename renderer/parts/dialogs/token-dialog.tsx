// The form of a new access token. CreatedToken shows the token once; the page does not store it.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { AccessTokenCreateBody } from '../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices, useStatus } from '../../api/services.ts';
import { pathProblem, type Scope, scopeLabels, scopePresets } from '../../model/access/token-view.ts';
import { Segments } from '../buttons/segments.tsx';
import { announce } from '../feedback/announcer.tsx';
import { Field } from '../fields/field.tsx';
import { WorkspaceField } from '../fields/workspace-field.tsx';
import { CreatedToken } from './created-token.tsx';
import { FormDialog } from './form-dialog.tsx';

const dayS = 86_400;
const lifetimes = [
  { days: 1, text: 'In 1 day' },
  { days: 30, text: 'In 30 days' },
  { days: 90, text: 'In 90 days' },
  { days: 365, text: 'In 1 year' },
] as const;
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
  const [agent, setAgent] = useState('my-agent');
  const [access, setAccess] = useState<Access>('write');
  const [scopes, setScopes] = useState<readonly Scope[]>(scopePresets.write);
  const [path, setPath] = useState('');
  const [days, setDays] = useState(30);
  const [deletes, setDeletes] = useState('');
  const mutation = useMutation({
    mutationFn: async (input: AccessTokenCreateBody) => await client.tokens.create(chosen, input),
    onSuccess: () => {
      announce('Token created. It is shown only once.');
      onCreated?.();
    },
  });
  if (mutation.data !== undefined) return <CreatedToken created={mutation.data} onClose={onClose} />;

  const agentError = agentPattern.test(agent)
    ? null
    : 'Use up to 128 letters, digits, dots, dashes and underscores.';
  const granted = access === 'custom' ? scopes : scopePresets[access];
  const scopeError = granted.length === 0 ? 'Select at least one scope.' : null;
  const trimmed = path.trim();
  const pathError =
    pathProblem(trimmed) ??
    (trimmed !== '' && !granted.some((scope) => scope.startsWith('fs:'))
      ? 'A path requires the scope fs:read or fs:write.'
      : null);
  const deletesError = deletesProblem(deletes);
  const submit = (): void => {
    const formError = agentError ?? scopeError ?? pathError ?? deletesError;
    if (formError !== null) return;
    mutation.mutate({
      agent,
      scopes: [...granted],
      ttlSeconds: days * dayS,
      ...(trimmed === '' ? {} : { path: trimmed }),
      ...(deletes === '' ? {} : { deletesPerMinute: Number(deletes) }),
    });
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
      <Field label="Name" hint="Shown next to its changes in history" error={agentError}>
        {(wiring) => (
          <input
            {...wiring}
            className="input"
            value={agent}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setAgent(event.target.value)}
          />
        )}
      </Field>
      {workspaceId !== null ? null : (
        <WorkspaceField
          workspaces={workspaces}
          value={chosen}
          hint="A token is valid for one workspace."
          onChange={setChosen}
        />
      )}
      <Access access={access} scopes={scopes} error={scopeError} onAccess={setAccess} onScopes={setScopes} />
      <Field
        label="Path"
        hint="Leave empty for all files. /docs/** allows the files below /docs only."
        error={pathError}
      >
        {(wiring) => (
          <input
            {...wiring}
            className="input mono"
            value={path}
            placeholder="/docs/**"
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setPath(event.target.value)}
          />
        )}
      </Field>
      <div className="field">
        <span className="label" id="token-life">
          Expires
        </span>
        <Segments
          labelledBy="token-life"
          options={lifetimes.map((each) => ({ value: each.days, text: each.text }))}
          value={days}
          onChange={setDays}
        />
      </div>
      <Field label="Delete limit per minute" hint="Leave empty for unlimited" error={deletesError}>
        {(wiring) => (
          <input
            {...wiring}
            className="input short"
            inputMode="numeric"
            value={deletes}
            autoComplete="off"
            onChange={(event) => setDeletes(event.target.value.trim())}
          />
        )}
      </Field>
    </FormDialog>
  );
}

function Access({
  access,
  scopes,
  error,
  onAccess,
  onScopes,
}: {
  readonly access: Access;
  readonly scopes: readonly Scope[];
  readonly error: string | null;
  readonly onAccess: (access: Access) => void;
  readonly onScopes: (scopes: readonly Scope[]) => void;
}): ReactElement {
  return (
    <div className="field">
      <span className="label" id="token-access">
        Permissions
      </span>
      <Segments
        labelledBy="token-access"
        options={[
          { value: 'write', text: 'Read and write' },
          { value: 'read', text: 'Read only' },
          { value: 'custom', text: 'Custom…' },
        ]}
        value={access}
        onChange={(next: Access) => {
          if (next === 'custom' && access !== 'custom') onScopes(scopePresets[access]);
          onAccess(next);
        }}
      />
      {access !== 'custom' ? null : (
        <fieldset className="scope-choice">
          <legend className="reader-only">Scopes</legend>
          {scopeLabels.map(({ scope, label }) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={(event) =>
                  onScopes(
                    scopeLabels
                      .map((each) => each.scope)
                      .filter((each) => (each === scope ? event.target.checked : scopes.includes(each))),
                  )
                }
              />
              <span className="mono">{scope}</span> <span className="faint">{label}</span>
            </label>
          ))}
        </fieldset>
      )}
      {error === null ? null : (
        <p className="hint bad" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

function deletesProblem(text: string): string | null {
  if (text === '') return null;
  const value = Number(text);
  const isValid = /^\d+$/.test(text) && value >= 1 && value <= deletesMax;
  return isValid ? null : 'Enter a whole number from 1 to 1,000,000.';
}
