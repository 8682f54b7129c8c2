// Dialogs that change the role of a user, remove a user from a workspace, and disable a user on the hub.
import type { ReactElement } from 'react';
import type { UserRole, WorkspaceUser } from '../../../../server/contract/users.ts';
import type { Workspace } from '../../../../server/contract/workspaces.ts';
import { useServices } from '../../../api/services.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { announce } from '../../../parts/feedback/answers.ts';

interface UserDialogProps {
  readonly workspace: Workspace;
  readonly user: WorkspaceUser;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

const effects: Readonly<Record<UserRole, string>> = {
  reader: 'reads files, history, sync status and operations, and changes nothing.',
  editor: 'reads and changes files, and stages and commits forks and runs.',
  owner: 'may do everything in this workspace, also manage its users and tokens.',
};

export function RoleDialog({
  workspace,
  user,
  role,
  onChanged,
  onClose,
}: UserDialogProps & { readonly role: UserRole }): ReactElement {
  const { client, link } = useServices();
  return (
    <ConfirmDialog
      title={`Make ${user.name} ${role === 'reader' ? 'a' : 'an'} ${role} of ${workspace.name}?`}
      confirm={`Make ${role}`}
      onConfirm={async () => {
        await client.users.setRole(workspace.workspaceId, user.userId, role);
        announce(`${user.name} is ${role} of ${workspace.name}.`);
        onChanged();
        link.tryNow();
      }}
      onClose={onClose}
    >
      <p>
        {user.isSelf ? 'This is your own account. ' : ''}
        {role === 'owner' ? 'An owner' : role === 'editor' ? 'An editor' : 'A reader'} {effects[role]}
      </p>
      <p>Personal tokens follow the new role at their next use; open streams are closed and connect again.</p>
    </ConfirmDialog>
  );
}

export function RemoveDialog({ workspace, user, onChanged, onClose }: UserDialogProps): ReactElement {
  const { client, link } = useServices();
  return (
    <ConfirmDialog
      title={`Remove ${user.name} from ${workspace.name}?`}
      confirm="Remove"
      danger
      onConfirm={async () => {
        await client.users.remove(workspace.workspaceId, user.userId);
        announce(`${user.name} is removed from ${workspace.name}.`);
        onChanged();
        link.tryNow();
      }}
      onClose={onClose}
    >
      <p>
        {user.isSelf ? 'This is your own account. ' : ''}The personal tokens of {user.name} for this workspace
        are revoked, also when the user gets a role again. Files, history and desktops keep what they have.
      </p>
    </ConfirmDialog>
  );
}

export function DisableDialog({ user, onChanged, onClose }: UserDialogProps): ReactElement {
  const { client } = useServices();
  const disables = user.disabledAt === undefined;
  return (
    <ConfirmDialog
      title={`${disables ? 'Disable' : 'Enable'} ${user.name} on this hub?`}
      confirm={disables ? 'Disable' : 'Enable'}
      danger={disables}
      onConfirm={async () => {
        await client.users.setDisabled(user.userId, disables);
        announce(`${user.name} is ${disables ? 'disabled' : 'enabled'}.`);
        onChanged();
      }}
      onClose={onClose}
    >
      <p>
        {disables
          ? 'The user is signed out of all browsers, and all personal tokens and the open invite link are revoked, in every workspace. Roles are kept.'
          : 'The user has the same roles as before, and signs in with a new invite link. Revoked tokens do not return.'}
      </p>
    </ConfirmDialog>
  );
}
