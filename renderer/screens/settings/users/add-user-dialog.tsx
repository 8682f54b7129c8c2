// Adds a user to a workspace; one who has not signed in yet gets an invite link at once.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { MooringError } from '../../../../sdk/index.ts';
import type { Invite, UserRole, WorkspaceUser } from '../../../../server/contract/users.ts';
import type { Workspace } from '../../../../server/contract/workspaces.ts';
import { describeError, useServices } from '../../../api/services.ts';
import { useRoleReason } from '../../../api/viewer.ts';
import { SegmentsField } from '../../../parts/buttons/segments.tsx';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { announce } from '../../../parts/feedback/answers.ts';
import { TextField } from '../../../parts/fields/field.tsx';
import { InviteLink, useInvite } from './invite-dialog.tsx';

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const emailPattern = /^[^\s@]+@[^\s@]+$/;

interface Added {
  readonly user: WorkspaceUser;
  /** null: the user has signed in, or the viewer may not make a link. */
  readonly invite: Invite | null;
}

export function AddUserDialog({
  workspace,
  onChanged,
  onClose,
}: {
  readonly workspace: Workspace;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const disabledReason = useRoleReason(workspace.workspaceId, 'owner');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<UserRole>('editor');
  const [tried, setTried] = useState(false);
  const adding = useAddUser(workspace, (added) => {
    onChanged();
    if (added.invite === null) onClose();
  });
  if (adding.data?.invite != null)
    return <InviteLink name={adding.data.user.name} invite={adding.data.invite} onClose={onClose} />;
  const nameError = namePattern.test(name.trim())
    ? null
    : 'Use up to 64 letters, digits, dots, dashes and underscores.';
  const address = email.trim();
  const emailError = address === '' || emailPattern.test(address) ? null : 'Enter an email address.';
  const submit = (): void => {
    setTried(true);
    if (nameError !== null || emailError !== null) return;
    adding.mutate({ name: name.trim(), role, ...(address === '' ? {} : { email: address }) });
  };
  return (
    <FormDialog
      title={`Add a user to ${workspace.name}`}
      submit="Add user"
      disabledReason={disabledReason ?? (adding.isPending ? 'Adding…' : null)}
      error={adding.isError ? describeError(adding.error) : null}
      note="A new user gets an invite link"
      onSubmit={submit}
      onClose={() => !adding.isPending && onClose()}
    >
      <TextField
        label="Name"
        hint="Shown beside the changes in history. A user who is on this hub already is given the role."
        error={tried ? nameError : null}
        value={name}
        spellCheck={false}
        onChange={setName}
      />
      <TextField
        label="Email address"
        hint="Optional. Required to sign in with an OpenID provider."
        error={tried ? emailError : null}
        value={email}
        spellCheck={false}
        inputMode="email"
        onChange={setEmail}
      />
      <SegmentsField
        label="Role"
        options={[
          { value: 'reader', text: 'Reader' },
          { value: 'editor', text: 'Editor' },
          { value: 'owner', text: 'Owner' },
        ]}
        value={role}
        onChange={(chosen: UserRole) => setRole(chosen)}
      />
    </FormDialog>
  );
}

function useAddUser({ workspaceId, name: workspaceName }: Workspace, onAdded: (added: Added) => void) {
  const { client } = useServices();
  const invite = useInvite(workspaceId);
  return useMutation({
    mutationFn: async (input: {
      readonly name: string;
      readonly role: UserRole;
      readonly email?: string;
    }): Promise<Added> => {
      const user = await client.users.add(workspaceId, input);
      if (user.hasSignedIn) return { user, invite: null };
      // The link of a user who has a role elsewhere is made by the owner of the hub.
      const made = await invite(user).catch((error: unknown) => {
        if (error instanceof MooringError && error.status === 403) return null;
        throw error;
      });
      return { user, invite: made };
    },
    onSuccess: (added) => {
      const { name, hasSignedIn } = added.user;
      const next =
        added.invite === null && !hasSignedIn ? ' The owner of the hub makes the invite link.' : '';
      announce(`${name} is added to ${workspaceName}.${next}`);
      onAdded(added);
    },
  });
}
