// The users of a workspace. Its owners add and remove them, change roles and make invite links; the others see who is there.
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Workspace } from '../../../../server/contract/workspaces.ts';
import { useStatus } from '../../../api/services.ts';
import { useRoleReason } from '../../../api/viewer.ts';
import { useKeys } from '../../../keys.ts';
import { useScreenLocation } from '../../../location/screen-location.ts';
import { useChosenWorkspace } from '../../../location/workspace-choice.ts';
import { plural } from '../../../model/format.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { LoadError } from '../../../parts/feedback/load-error.tsx';
import { FilterMenu } from '../../../parts/fields/choice-menu.tsx';
import { SkeletonRows } from '../../../parts/tables/skeleton-rows.tsx';
import { actionsColumn, TableCard } from '../../../parts/tables/table-card.tsx';
import { SectionHead } from '../section-head.tsx';
import { AddUserDialog } from './add-user-dialog.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { usersKey, useWorkspaceUsers } from './queries.ts';
import { DisableDialog, RemoveDialog, RoleDialog } from './user-dialogs.tsx';
import { type Opened, UserRow } from './user-row.tsx';

export function UsersSection(): ReactElement {
  const workspaces = useStatus()?.workspaces ?? [];
  const { workspace } = useChosenWorkspace(workspaces);
  if (workspace === null)
    return (
      <>
        <SectionHead title="Users" />
        <div className="empty-card">
          <p>The users of a workspace appear here. There is no workspace yet.</p>
        </div>
      </>
    );
  return <UsersOf key={workspace.workspaceId} workspace={workspace} workspaces={workspaces} />;
}

function UsersOf({
  workspace,
  workspaces,
}: {
  readonly workspace: Workspace;
  readonly workspaces: readonly Workspace[];
}): ReactElement {
  const { workspaceId, name } = workspace;
  const location = useScreenLocation('settings');
  const disabledReason = useRoleReason(workspaceId, 'owner');
  const [opened, setOpened] = useState<Opened | null>(null);
  const { data, error, refetch } = useWorkspaceUsers(workspaceId);
  useKeys({ n: () => disabledReason === null && setOpened({ kind: 'add' }) });
  return (
    <>
      <SectionHead title="Users" about={data === undefined ? undefined : plural(data.length, 'user')}>
        {workspaces.length < 2 ? null : (
          <FilterMenu
            label="Workspace"
            value={workspaceId}
            options={workspaces.map((each) => ({ value: each.workspaceId, text: each.name }))}
            onChange={(chosen) => location.go({ fields: { workspace: chosen } })}
          />
        )}
        <Button
          kind="primary"
          icon="add"
          shortcut="N"
          disabledReason={disabledReason}
          onClick={() => setOpened({ kind: 'add' })}
        >
          Add user…
        </Button>
      </SectionHead>
      {error === null ? null : <LoadError what="the users" error={error} onAgain={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <SkeletonRows />
        ) : null
      ) : data.length === 0 ? (
        <div className="empty-card">
          <p>
            No user has a role in {name} yet. Add a user, and send the invite link: it signs a browser in, or
            a desktop with <span className="mono">mooring hub join</span>.
          </p>
        </div>
      ) : (
        <TableCard
          columns={['Name', { name: 'Role', brief: true }, { name: 'State', brief: true }, actionsColumn]}
        >
          {data.map((user) => (
            <UserRow key={user.userId} workspaceId={workspaceId} user={user} onOpen={setOpened} />
          ))}
        </TableCard>
      )}
      <p className="hint">
        A reader reads files and history, an editor also changes files, an owner also manages users, tokens
        and webhooks. A change of a role takes effect within two seconds, also on tokens that exist. The owner
        of the hub has all rights and is not listed.
      </p>
      {opened === null ? null : (
        <OpenedDialog workspace={workspace} opened={opened} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

function OpenedDialog({
  workspace,
  opened,
  onClose,
}: {
  readonly workspace: Workspace;
  readonly opened: Opened;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const onChanged = (): void => void queries.invalidateQueries({ queryKey: usersKey(workspace.workspaceId) });
  const shared = { workspace, onChanged, onClose };
  switch (opened.kind) {
    case 'add':
      return <AddUserDialog {...shared} />;
    case 'invite':
      return <InviteDialog workspaceId={workspace.workspaceId} user={opened.user} onClose={onClose} />;
    case 'role':
      return <RoleDialog {...shared} user={opened.user} role={opened.role} />;
    case 'remove':
      return <RemoveDialog {...shared} user={opened.user} />;
    case 'disable':
      return <DisableDialog {...shared} user={opened.user} />;
  }
}
