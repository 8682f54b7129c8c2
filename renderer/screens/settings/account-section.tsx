// The account of the user who is signed in: name, address, roles; signs the browser out.
import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import { useServices, useStatus, workspaceName } from '../../api/services.ts';
import { useViewer } from '../../api/viewer.ts';
import { filesHref } from '../../location/app-location.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { SectionHead } from './section-head.tsx';

export function AccountSection(): ReactElement | null {
  const viewer = useViewer();
  const { session } = useServices();
  const workspaces = useStatus()?.workspaces ?? [];
  const [asks, setAsks] = useState(false);
  if (viewer?.user === undefined) return null;
  const { name, email } = viewer.user;
  return (
    <>
      <SectionHead title="Your account">
        <Button onClick={() => setAsks(true)}>Sign out…</Button>
      </SectionHead>
      <dl className="facts settings-facts">
        <dt>Name</dt>
        <dd>{name}</dd>
        <dt>Email</dt>
        <dd>{email ?? <span className="faint">none</span>}</dd>
        <dt>Rights</dt>
        <dd>
          {viewer.owner ? (
            'owner of this hub'
          ) : viewer.roles.length === 0 ? (
            <span className="faint">no role in a workspace yet</span>
          ) : (
            <ul>
              {viewer.roles.map(({ workspaceId, role }) => (
                <li key={workspaceId}>
                  {role} of{' '}
                  <Link href={filesHref(workspaceId, '/', 'dir')}>
                    {workspaceName(workspaces, workspaceId)}
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </dd>
      </dl>
      <p className="hint">
        History shows this name beside your changes. Programs and desktops act for you with{' '}
        <Link href="/settings/tokens">personal tokens</Link>, which never exceed your role.
      </p>
      {asks ? (
        <ConfirmDialog
          title="Sign out of this browser?"
          confirm="Sign out"
          danger
          onConfirm={async () => await session.signOut(false)}
          onClose={() => setAsks(false)}
        >
          <p>
            All tabs of this browser are signed out immediately. To sign in again, use a new invite link or
            the OpenID provider of the hub.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
