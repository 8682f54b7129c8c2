// A workspace without a mirror.
import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { useDisabledReason } from '../../api/services.ts';
import { filesHref } from '../../location/app-location.ts';
import { plural } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { TokenDialog } from '../../parts/dialogs/token-dialog.tsx';

export function UnmirroredCard({
  workspace,
  onMirror,
}: {
  readonly workspace: Workspace;
  readonly onMirror: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const [tokenOpen, setTokenOpen] = useState(false);
  return (
    <article className="card mirror" aria-label={`${workspace.name}: no folder`}>
      <div className="mirror-title">
        <h3>
          <Link href={filesHref(workspace.workspaceId, '/', 'dir')}>{workspace.name}</Link>
        </h3>
        <span className="tag">No folder</span>
        <span className="end row">
          <Button
            kind="ghost"
            icon="key"
            label={`Create an access token for ${workspace.name}`}
            disabledReason={disabledReason}
            onClick={() => setTokenOpen(true)}
          />
          <Button icon="addFolder" disabledReason={disabledReason} onClick={onMirror}>
            Mirror to a folder…
          </Button>
        </span>
      </div>
      <div className="mirror-facts">
        <span>{plural(workspace.files, 'file')}</span>
        <span>API access only</span>
      </div>
      {tokenOpen ? (
        <TokenDialog
          workspaceId={workspace.workspaceId}
          name={workspace.name}
          onClose={() => setTokenOpen(false)}
        />
      ) : null}
    </article>
  );
}
