// The form of a new access token. CreatedToken shows the token once; the page does not store it.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { AccessTokenCreateBody } from '../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices, useStatus } from '../../api/services.ts';
import { roleIn, useViewer } from '../../api/viewer.ts';
import {
  type Access,
  accessHints,
  grantableScopes,
  type Scope,
  scopeLabels,
  scopePresets,
} from '../../model/access/token-view.ts';
import { plural } from '../../model/format.ts';
import { SegmentsField } from '../buttons/segments.tsx';
import { speak } from '../feedback/announcer.tsx';
import { FailureText } from '../feedback/note.tsx';
import { CheckLine } from '../fields/checkbox.tsx';
import { TextField } from '../fields/field.tsx';
import { WorkspaceField } from '../fields/workspace-field.tsx';
import { WorkspaceFolderField } from '../fields/workspace-folder-field.tsx';
import { CreatedToken } from './created-token.tsx';
import { FormDialog } from './form-dialog.tsx';
import { type TokenForm, useTokenForm } from './use-token-form.ts';

/** In days. */
const lifetimes = [
  { value: 1, text: 'In 1 day' },
  { value: 30, text: 'In 30 days' },
  { value: 90, text: 'In 90 days' },
  { value: 365, text: 'In 1 year' },
];
/** Why the token cannot be created; null: it can. Errors of a field are shown beside it. */
function invalidReason({ values, matching, body }: TokenForm): string | null {
  if (body !== null) return null;
  if (values.access === 'folder' && values.folder.trim() === '') return 'Enter a folder.';
  return matching === undefined && values.folder !== '' ? 'Counting files…' : 'Correct the marked fields.';
}

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
  const grantable = grantableScopes(viewer?.owner === false ? roleIn(viewer, chosen) : null);
  const form = useTokenForm(chosen, grantable);
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
      disabledReason={disabledReason ?? (mutation.isPending ? 'Creating token…' : invalidReason(form))}
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
      <AccessFields form={form} workspaceId={chosen} />
      <LimitFields form={form} />
    </FormDialog>
  );
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

function AccessFields({
  form,
  workspaceId,
}: {
  readonly form: TokenForm;
  readonly workspaceId: string;
}): ReactElement {
  const { access, scopes, folder } = form.values;
  return (
    <>
      <SegmentsField
        label="Access"
        hint={accessHints[access]}
        options={[
          ...(form.grantable.includes('fs:write') ? [{ value: 'full' as const, text: 'Full' }] : []),
          { value: 'read', text: 'Read only' },
          { value: 'folder', text: 'One folder' },
          { value: 'custom', text: 'Custom…' },
        ]}
        value={access}
        onChange={(next: Access) => {
          const isFirstCustom = next === 'custom' && access !== 'custom';
          form.change({ access: next, ...(isFirstCustom ? { scopes: scopePresets[access] } : {}) });
        }}
      >
        {access === 'custom' ? <ScopeChoice form={form} scopes={scopes} /> : null}
      </SegmentsField>
      {access === 'full' ? null : (
        <WorkspaceFolderField
          workspaceId={workspaceId}
          value={folder}
          hint={
            access === 'folder'
              ? 'Enter a folder. Patterns such as /docs/a* are allowed.'
              : `Leave empty for all ${plural(form.matching?.files ?? 0, 'file')}.`
          }
          error={form.errors.folder}
          matching={form.matching}
          onChange={(text) => form.change({ folder: text })}
        />
      )}
    </>
  );
}

function ScopeChoice({
  form,
  scopes,
}: {
  readonly form: TokenForm;
  readonly scopes: readonly Scope[];
}): ReactElement {
  return (
    <>
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
      <FailureText error={form.errors.scopes} />
    </>
  );
}
