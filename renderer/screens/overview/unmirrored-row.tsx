// A workspace without a folder: it is served by the API alone.
import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { useDisabledReason } from '../../api/services.ts';
import { filesHref } from '../../location/app-location.ts';
import { plural } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { RowMenu } from '../../parts/buttons/row-menu.tsx';
import { TokenDialog } from '../../parts/dialogs/token-dialog.tsx';

export function UnmirroredRow({
  workspace: { workspaceId, name, files },
  onMirror,
}: {
  readonly workspace: Workspace;
  readonly onMirror: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const [tokenOpen, setTokenOpen] = useState(false);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a row is one tab stop, as those of mirrors
    <article className="mirror-row" tabIndex={0} aria-label={`${name}: no folder`}>
      <div className="mirror-name">
        <h3 className="ellipsis">
          <Link href={filesHref(workspaceId, '/', 'dir')}>{name}</Link>
        </h3>
        <span className="faint">API access only</span>
      </div>
      <span className="tag">No folder</span>
      <div className="mirror-now">
        <span className="mirror-facts">{plural(files, 'file')}</span>
      </div>
      <div className="mirror-wide">
        <Button icon="addFolder" disabledReason={disabledReason} onClick={onMirror}>
          Mirror to a folder…
        </Button>
        <RowMenu
          label={`More for ${name}`}
          actions={[
            { text: 'Create an access token…', icon: 'key', disabledReason, run: () => setTokenOpen(true) },
          ]}
        />
      </div>
      {tokenOpen ? (
        <TokenDialog workspaceId={workspaceId} name={name} onClose={() => setTokenOpen(false)} />
      ) : null}
    </article>
  );
}
