// Workspaces and the folders that show them: made, renamed, mirrored, paused, removed, and taken back after a delete.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { Mirror, Workspace } from '../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices, useStatus } from '../../api/services.ts';
import { useKeys } from '../../keys.ts';
import { filesHref } from '../../location/app-location.ts';
import { count, plural } from '../../model/format.ts';
import { mirrorStatus, modeName } from '../../model/mirror/mirror-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton, Identifier } from '../../parts/buttons/copy.tsx';
import { usePauseResume } from '../../parts/buttons/use-pause-resume.ts';
import { MirrorDialog } from '../../parts/dialogs/mirror-dialog.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { actionsColumn, TableCard } from '../../parts/tables/table-card.tsx';
import { DeletedWorkspaces } from './deleted-workspaces.tsx';
import { GuardDialog } from './deletion-limit-dialog.tsx';
import { RowMenu } from './row-menu.tsx';
import { RulesDialog } from './rules-dialog.tsx';
import { SectionHead } from './section-head.tsx';
import { DeleteWorkspaceDialog, RemoveMirrorDialog, WorkspaceNameDialog } from './workspace-dialogs.tsx';

type Opened =
  | { readonly kind: 'create' }
  | { readonly kind: 'rename' | 'delete' | 'mirror'; readonly workspace: Workspace }
  | { readonly kind: 'remove' | 'rules' | 'guard'; readonly workspace: Workspace; readonly mirror: Mirror };

export function WorkspacesSection(): ReactElement {
  const status = useStatus();
  const disabledReason = useDisabledReason();
  const { client } = useServices();
  const [opened, setOpened] = useState<Opened | null>(null);
  const workspaces = status?.workspaces ?? [];
  const mirrors = status?.mirrors ?? [];
  const deleted = useQuery({
    queryKey: ['workspaces', 'deleted'],
    queryFn: async ({ signal }) =>
      (await client.workspaces.list({ includeDeleted: true, signal })).filter(
        (each) => each.deletedAt !== undefined,
      ),
  });
  const known = workspaces.map((each) => each.workspaceId).join(' ');
  const { refetch } = deleted;
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again whenever one was made, deleted or restored
  useEffect(() => void refetch(), [known, refetch]);
  useKeys({ n: () => disabledReason === null && setOpened({ kind: 'create' }) });
  return (
    <>
      <SectionHead
        title="Workspaces and mirrors"
        about={workspaces.length === 0 ? undefined : plural(workspaces.length, 'workspace')}
      >
        <Button
          kind="primary"
          icon="add"
          shortcut="N"
          disabledReason={disabledReason}
          onClick={() => setOpened({ kind: 'create' })}
        >
          New workspace…
        </Button>
      </SectionHead>
      {workspaces.length === 0 ? (
        <NoWorkspace />
      ) : (
        <TableCard columns={['Workspace', 'Folder', { name: 'State', brief: true }, actionsColumn]}>
          {workspaces.flatMap((workspace) => {
            const own = mirrors.filter((mirror) => mirror.workspaceId === workspace.workspaceId);
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
      <p className="hint">
        A mirror carries changes both ways unless it was added for one. It halts by itself, and deletes
        nothing, when a folder vanishes or too many files go at once.{' '}
        <span className="mono">.mooringignore</span> in the folder says what it leaves out.
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

function NoWorkspace(): ReactElement {
  return (
    <div className="empty-card">
      <p>
        A workspace holds the files of a mirrored folder, and what programs write through the API. There is
        none yet.
      </p>
      <Link href="/first-run">Set up the first one</Link>
    </div>
  );
}

function WorkspaceRow({
  workspace,
  mirror,
  onOpen,
}: {
  readonly workspace: Workspace;
  readonly mirror: Mirror | null;
  readonly onOpen: (opened: Opened) => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
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
          <span className="faint">No folder: read and written through the API</span>
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
          <span className="second faint">{count(mirror.problems)} not mirrored</span>
        )}
      </td>
      <td className="actions">
        <span className="row">
          {mirror === null ? null : <PauseButton mirror={mirror} name={name} />}
          <RowMenu
            label={`More for ${name}${mirror === null ? '' : ` in ${mirror.dir}`}`}
            actions={[
              {
                text: 'Rename…',
                icon: 'edit',
                disabledReason,
                run: () => onOpen({ kind: 'rename', workspace }),
              },
              {
                text: 'Mirror to a folder…',
                icon: 'addFolder',
                disabledReason,
                run: () => onOpen({ kind: 'mirror', workspace }),
              },
              ...(mirror === null
                ? []
                : [
                    {
                      text: 'Ignore rules…',
                      icon: 'filter' as const,
                      disabledReason,
                      run: () => onOpen({ kind: 'rules', workspace, mirror }),
                    },
                    {
                      text: 'Guard…',
                      icon: 'halted' as const,
                      disabledReason,
                      run: () => onOpen({ kind: 'guard', workspace, mirror }),
                    },
                    {
                      text: 'Remove the mirror…',
                      icon: 'close' as const,
                      disabledReason,
                      run: () => onOpen({ kind: 'remove', workspace, mirror }),
                    },
                  ]),
              {
                text: 'Delete the workspace…',
                icon: 'deleted',
                disabledReason,
                run: () => onOpen({ kind: 'delete', workspace }),
              },
            ]}
          />
        </span>
      </td>
    </tr>
  );
}

function PauseButton({ mirror, name }: { readonly mirror: Mirror; readonly name: string }): ReactElement {
  const disabledReason = useDisabledReason();
  const change = usePauseResume(mirror, name);
  const verb = change.verb ?? 'Pause';
  return (
    <>
      {change.error === null ? null : (
        <span className="hint bad" role="alert">
          {change.error}
        </span>
      )}
      <Button
        icon={verb === 'Pause' ? 'paused' : 'resume'}
        disabledReason={change.running ? `${verb} is on its way.` : disabledReason}
        onClick={change.run}
      >
        {verb}
        <span className="reader-only"> {name}</span>
      </Button>
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
    case 'guard':
      return <GuardDialog name={opened.workspace.name} mirror={opened.mirror} onClose={onClose} />;
    case 'rules':
      return <RulesDialog name={opened.workspace.name} mirror={opened.mirror} onClose={onClose} />;
    case 'remove':
      return <RemoveMirrorDialog name={opened.workspace.name} mirror={opened.mirror} onClose={onClose} />;
  }
}
