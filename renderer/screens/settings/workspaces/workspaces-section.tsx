// Workspaces and mirrors: create, rename, mirror, pause, remove, delete, restore.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { Mirror, Workspace } from '../../../../server/contract/workspaces.ts';
import { useHasFeature } from '../../../api/offer.ts';
import { describeError, useDisabledReason, useServices, useStatus } from '../../../api/services.ts';
import { useIsOwner } from '../../../api/viewer.ts';
import { useKeys } from '../../../keys.ts';
import { filesHref } from '../../../location/app-location.ts';
import { count, plural } from '../../../model/format.ts';
import { mirrorStatus, modeName } from '../../../model/mirror/mirror-view.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { CopyButton, Identifier } from '../../../parts/buttons/copy.tsx';
import {
  PauseResumeButton,
  usePauseForAnHour,
  usePauseResume,
} from '../../../parts/buttons/pause-resume.tsx';
import { type RowAction, RowMenu } from '../../../parts/buttons/row-menu.tsx';
import { MirrorDialog } from '../../../parts/dialogs/mirror-dialog.tsx';
import type { Meaning } from '../../../parts/feedback/icon.tsx';
import { PathText } from '../../../parts/feedback/path-text.tsx';
import { Status } from '../../../parts/feedback/status.tsx';
import { actionsColumn, TableCard } from '../../../parts/tables/table-card.tsx';
import { SectionHead } from '../section-head.tsx';
import { DeletedWorkspaces } from './deleted-workspaces.tsx';
import { DeletionLimitDialog } from './deletion-limit-dialog.tsx';
import { HubWorkspaceRow } from './hub-workspace-row.tsx';
import { RulesDialog } from './rules-dialog.tsx';
import { DeleteWorkspaceDialog, RemoveMirrorDialog, WorkspaceNameDialog } from './workspace-dialogs.tsx';

type Opened =
  | { readonly kind: 'create' }
  | { readonly kind: 'rename' | 'delete' | 'mirror'; readonly workspace: Workspace }
  | {
      readonly kind: 'remove' | 'rules' | 'deletion-limit';
      readonly workspace: Workspace;
      readonly mirror: Mirror;
    };

export function WorkspacesSection(): ReactElement {
  const status = useStatus();
  const disabledReason = useDisabledReason();
  const { client } = useServices();
  const isOwner = useIsOwner();
  const hasFolders = useHasFeature('folders');
  const [opened, setOpened] = useState<Opened | null>(null);
  const workspaces = status?.workspaces ?? [];
  const mirrors = status?.mirrors ?? [];
  const deleted = useQuery({
    queryKey: ['workspaces', 'deleted'],
    queryFn: async ({ signal }) =>
      (await client.workspaces.list({ includeDeleted: true, signal })).filter(
        (each) => each.deletedAt !== undefined,
      ),
    enabled: isOwner,
  });
  const known = workspaces.map((each) => each.workspaceId).join(' ');
  const { refetch } = deleted;
  // biome-ignore lint/correctness/useExhaustiveDependencies: refetched when a workspace was created, deleted or restored
  useEffect(() => void (isOwner && refetch()), [known, refetch]);
  useKeys({ n: () => isOwner && disabledReason === null && setOpened({ kind: 'create' }) });
  return (
    <>
      <SectionHead
        title={hasFolders ? 'Workspaces and mirrors' : 'Workspaces'}
        about={workspaces.length === 0 ? undefined : plural(workspaces.length, 'workspace')}
      >
        {isOwner ? (
          <Button
            kind="primary"
            icon="add"
            shortcut="N"
            disabledReason={disabledReason}
            onClick={() => setOpened({ kind: 'create' })}
          >
            New workspace…
          </Button>
        ) : null}
      </SectionHead>
      {workspaces.length === 0 ? (
        <NoWorkspace hasFolders={hasFolders} />
      ) : (
        <TableCard
          columns={
            hasFolders
              ? ['Workspace', 'Folder', { name: 'State', brief: true }, actionsColumn]
              : ['Workspace', 'Files', { name: 'Your role', brief: true }, actionsColumn]
          }
        >
          {workspaces.flatMap((workspace) => {
            const own = mirrors.filter((mirror) => mirror.workspaceId === workspace.workspaceId);
            if (!hasFolders)
              return [
                <HubWorkspaceRow key={workspace.workspaceId} workspace={workspace} onOpen={setOpened} />,
              ];
            const rows: readonly (Mirror | null)[] = own.length === 0 ? [null] : own;
            return rows.map((mirror) => (
              <WorkspaceRow
                key={`${workspace.workspaceId} ${mirror?.mirrorId}`}
                workspace={workspace}
                mirror={mirror}
                onOpen={setOpened}
              />
            ));
          })}
        </TableCard>
      )}
      <p className="hint" hidden={!hasFolders}>
        A mirror syncs both ways unless created one-way. It halts automatically, without deleting anything,
        when its folder is missing or too many files are deleted at once. It ignores files that match{' '}
        <span className="mono">.mooringignore</span> in the folder.
      </p>
      <DeletedWorkspaces
        workspaces={deleted.data ?? []}
        error={deleted.isError ? describeError(deleted.error) : null}
        onRestored={() => void refetch()}
      />
      {opened === null ? null : <OpenedDialog opened={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function NoWorkspace({ hasFolders }: { readonly hasFolders: boolean }): ReactElement {
  if (!hasFolders)
    return (
      <div className="empty-card">
        <p>No workspaces yet. A workspace contains the files that its users and their desktops sync.</p>
      </div>
    );
  return (
    <div className="empty-card">
      <p>
        No workspaces yet. A workspace contains the files of a mirrored folder and the files that programs
        write through the API.
      </p>
      <Link href="/first-run">Set up the first workspace</Link>
    </div>
  );
}

interface WorkspaceRowProps {
  readonly workspace: Workspace;
  readonly mirror: Mirror | null;
  readonly onOpen: (opened: Opened) => void;
}

function WorkspaceRow({ workspace, mirror, onOpen }: WorkspaceRowProps): ReactElement {
  const { name, workspaceId } = workspace;
  return (
    <tr>
      <th scope="row">
        <Link href={filesHref(workspaceId, '/', 'dir')}>{name}</Link>
        <span className="second">
          <Identifier text={workspaceId} what={`the id of ${name}`} />
        </span>
      </th>
      <td>
        {mirror === null ? (
          <span className="faint">No folder, API access only</span>
        ) : (
          <span className="identifier">
            <PathText path={mirror.dir} />
            <CopyButton text={mirror.dir} what={`the folder of ${name}`} />
          </span>
        )}
        <span className="second faint">
          {plural(mirror?.files ?? workspace.files, 'file')}
          {mirror === null ? '' : `, ${modeName(mirror.mode).toLowerCase()}`}
          {mirror === null || mirror.path === '/' ? '' : `, of ${mirror.path}`}
        </span>
      </td>
      <td>
        {mirror === null ? <Status kind="ok" word="Serving" /> : <Status {...mirrorStatus(mirror)} />}
        {mirror === null || mirror.problems === 0 ? null : (
          <span className="second faint">{count(mirror.problems)} not synced</span>
        )}
      </td>
      <td className="actions">
        <span className="row">
          {mirror === null ? null : <PauseButton mirror={mirror} name={name} />}
          <WorkspaceMenu workspace={workspace} mirror={mirror} onOpen={onOpen} />
        </span>
      </td>
    </tr>
  );
}

function WorkspaceMenu({ workspace, mirror, onOpen }: WorkspaceRowProps): ReactElement {
  const disabledReason = useDisabledReason();
  const pauseForAnHour = usePauseForAnHour(workspace.name);
  const action = (text: string, icon: Meaning, opened: Opened): RowAction => ({
    text,
    icon,
    disabledReason,
    run: () => onOpen(opened),
  });
  const hour: RowAction | null =
    mirror === null || mirror.state === 'halted'
      ? null
      : { text: 'Pause for 1 hour', icon: 'paused', disabledReason, run: () => void pauseForAnHour(mirror) };
  return (
    <RowMenu
      label={`More for ${workspace.name}${mirror === null ? '' : ` in ${mirror.dir}`}`}
      actions={[
        action('Rename…', 'edit', { kind: 'rename', workspace }),
        action('Mirror to a folder…', 'addFolder', { kind: 'mirror', workspace }),
        ...(mirror === null
          ? []
          : [
              ...(hour === null ? [] : [hour]),
              action('Ignore rules…', 'filter', { kind: 'rules', workspace, mirror }),
              action('Deletion limit…', 'halted', { kind: 'deletion-limit', workspace, mirror }),
              action('Remove mirror…', 'close', { kind: 'remove', workspace, mirror }),
            ]),
        action('Delete workspace…', 'deleted', { kind: 'delete', workspace }),
      ]}
    />
  );
}

function PauseButton({ mirror, name }: { readonly mirror: Mirror; readonly name: string }): ReactElement {
  const change = usePauseResume(mirror, name);
  return (
    <>
      {change.error === null ? null : (
        <span className="hint bad" role="alert">
          {change.error}
        </span>
      )}
      <PauseResumeButton change={change}>
        <span className="reader-only"> {name}</span>
      </PauseResumeButton>
    </>
  );
}

function OpenedDialog({
  opened,
  onClose,
}: {
  readonly opened: Opened;
  readonly onClose: () => void;
}): ReactElement {
  switch (opened.kind) {
    case 'create':
      return <WorkspaceNameDialog workspace={null} onClose={onClose} />;
    case 'rename':
      return <WorkspaceNameDialog workspace={opened.workspace} onClose={onClose} />;
    case 'mirror':
      return <MirrorDialog workspace={opened.workspace} onClose={onClose} />;
    case 'delete':
      return <DeleteWorkspaceDialog workspace={opened.workspace} onClose={onClose} />;
    case 'deletion-limit':
      return <DeletionLimitDialog name={opened.workspace.name} mirror={opened.mirror} onClose={onClose} />;
    case 'rules':
      return <RulesDialog name={opened.workspace.name} mirror={opened.mirror} onClose={onClose} />;
    case 'remove':
      return <RemoveMirrorDialog name={opened.workspace.name} mirror={opened.mirror} onClose={onClose} />;
  }
}
