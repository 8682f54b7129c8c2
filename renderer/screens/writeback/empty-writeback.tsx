// No item: what would be here, which providers there are, and how one is registered.
import type { ReactElement } from 'react';
import type { Provider } from '../../../server/contract/providers.ts';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';

export function EmptyWriteback({
  workspace,
  providers,
  narrowed,
  onShowAll,
}: {
  readonly workspace: Workspace;
  readonly providers: readonly Provider[];
  /** A filter or a text holds something back. */
  readonly narrowed: boolean;
  readonly onShowAll: () => void;
}): ReactElement {
  if (narrowed) {
    return (
      <div className="empty">
        <h2>Nothing matches</h2>
        <p>No item has this state and this text.</p>
        <div className="row">
          <Button onClick={onShowAll}>Show all</Button>
        </div>
      </div>
    );
  }
  const command = `mooring provider add github --workspace ${workspace.workspaceId}`;
  return (
    <div className="empty">
      <h2>
        <Icon of="writeback" />
        Nothing waits
      </h2>
      <p>
        A file below <span className="mono">/github/</span> that changes here is carried to the provider
        “github” as soon as one of this name is registered.{' '}
        {providers.length === 0 ? 'There is none yet: everything stays on this computer.' : ''}
      </p>
      <div className="code-line">
        <code className="code">{command}</code>
        <CopyButton text={command} what="the command" />
      </div>
      <p className="hint">
        So a program of yours takes the items and acknowledges them. With{' '}
        <span className="mono unbroken">--url</span> the agent sends them there, signed.
      </p>
    </div>
  );
}
