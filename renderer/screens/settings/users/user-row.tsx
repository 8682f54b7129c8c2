// A user of a workspace in the table, with what the viewer may change.
import type { ReactElement } from 'react';
import type { UserRole, WorkspaceUser } from '../../../../server/contract/users.ts';
import { useIsOwner, useRoleReason } from '../../../api/viewer.ts';
import type { StatusView } from '../../../model/mirror/mirror-view.ts';
import { type RowAction, RowMenu } from '../../../parts/buttons/row-menu.tsx';
import { Status } from '../../../parts/feedback/status.tsx';

/** The open dialog. `invite` has no further question: its link is shown. */
export type Opened =
  | { readonly kind: 'add' }
  | { readonly kind: 'invite' | 'remove' | 'disable'; readonly user: WorkspaceUser }
  | { readonly kind: 'role'; readonly user: WorkspaceUser; readonly role: UserRole };

const roles: readonly UserRole[] = ['owner', 'editor', 'reader'];
const articles: Readonly<Record<UserRole, string>> = { owner: 'an', editor: 'an', reader: 'a' };

export function UserRow({
  workspaceId,
  user,
  onOpen,
}: {
  readonly workspaceId: string;
  readonly user: WorkspaceUser;
  readonly onOpen: (opened: Opened) => void;
}): ReactElement {
  const { name, email, role, isSelf } = user;
  const actions = useActions(workspaceId, user, onOpen);
  return (
    <tr>
      <th scope="row">
        {name}
        {isSelf ? <span className="tag">you</span> : null}
        {email === undefined ? null : <span className="second faint">{email}</span>}
      </th>
      <td>{role}</td>
      <td>
        <Status {...stateOf(user)} />
      </td>
      <td className="actions">
        <RowMenu label={`More for ${name}`} actions={actions} />
      </td>
    </tr>
  );
}

function stateOf({ hasSignedIn, disabledAt }: WorkspaceUser): StatusView {
  if (disabledAt !== undefined) return { kind: 'paused', word: 'Disabled' };
  return hasSignedIn ? { kind: 'ok', word: 'Active' } : { kind: 'waiting', word: 'Invited' };
}

function useActions(
  workspaceId: string,
  user: WorkspaceUser,
  onOpen: (opened: Opened) => void,
): readonly RowAction[] {
  const disabledReason = useRoleReason(workspaceId, 'owner');
  const isHubOwner = useIsOwner();
  const { role, hasSignedIn, disabledAt } = user;
  const isDisabled = disabledAt !== undefined;
  const inviteProblem = isDisabled
    ? 'The user is disabled.'
    : hasSignedIn && !isHubOwner
      ? 'The user has signed in: only the owner of the hub makes a new link, because a link is the account.'
      : null;
  return [
    {
      text: hasSignedIn ? 'New invite link…' : 'Invite link…',
      icon: 'key',
      disabledReason: disabledReason ?? inviteProblem,
      run: () => onOpen({ kind: 'invite', user }),
    },
    ...roles
      .filter((each) => each !== role)
      .map(
        (each): RowAction => ({
          text: `Make ${articles[each]} ${each}…`,
          icon: 'edit',
          disabledReason,
          run: () => onOpen({ kind: 'role', user, role: each }),
        }),
      ),
    {
      text: 'Remove…',
      icon: 'close',
      disabledReason,
      run: () => onOpen({ kind: 'remove', user }),
    },
    ...(isHubOwner
      ? [
          {
            text: isDisabled ? 'Enable…' : 'Disable…',
            icon: isDisabled ? ('resume' as const) : ('canceled' as const),
            disabledReason,
            run: () => onOpen({ kind: 'disable', user }),
          },
        ]
      : []),
  ];
}
