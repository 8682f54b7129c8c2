// A workspace of a hub in the table: the role of the viewer in place of a folder.
import type { ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import type { Workspace } from '../../../../server/contract/workspaces.ts';
import { roleIn, useIsOwner, useRoleReason, useViewer } from '../../../api/viewer.ts';
import { filesHref } from '../../../location/app-location.ts';
import { screenHref } from '../../../location/screen-location.ts';
import { count } from '../../../model/format.ts';
import { Identifier } from '../../../parts/buttons/copy.tsx';
import { RowMenu } from '../../../parts/buttons/row-menu.tsx';

export function HubWorkspaceRow({
  workspace,
  onOpen,
}: {
  readonly workspace: Workspace;
  readonly onOpen: (opened: { readonly kind: 'rename' | 'delete'; readonly workspace: Workspace }) => void;
}): ReactElement {
  const { name, workspaceId, files } = workspace;
  const viewer = useViewer();
  const isOwner = useIsOwner();
  const [, navigate] = useLocation();
  const disabledReason = useRoleReason(workspaceId, 'owner');
  return (
    <tr>
      <th scope="row">
        <Link href={filesHref(workspaceId, '/', 'dir')}>{name}</Link>
        <span className="second">
          <Identifier text={workspaceId} what={`the id of ${name}`} />
        </span>
      </th>
      <td>{count(files)}</td>
      <td>{isOwner ? 'owner of the hub' : (roleIn(viewer, workspaceId) ?? 'none')}</td>
      <td className="actions">
        <RowMenu
          label={`More for ${name}`}
          actions={[
            {
              text: 'Users…',
              icon: 'key',
              run: () => navigate(screenHref('settings', 'users', { workspace: workspaceId })),
            },
            {
              text: 'Rename…',
              icon: 'edit',
              disabledReason,
              run: () => onOpen({ kind: 'rename', workspace }),
            },
            ...(isOwner
              ? [
                  {
                    text: 'Delete workspace…',
                    icon: 'deleted' as const,
                    disabledReason,
                    run: () => onOpen({ kind: 'delete', workspace }),
                  },
                ]
              : []),
          ]}
        />
      </td>
    </tr>
  );
}
