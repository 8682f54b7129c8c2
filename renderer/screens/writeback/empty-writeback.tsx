// Writeback without operations: what appears here, and how to add a provider.
import type { ReactElement } from 'react';
import type { Provider } from '../../../server/contract/providers.ts';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';

export function EmptyWriteback({
  workspace,
  providers,
  isFiltered,
  onShowAll,
}: {
  readonly workspace: Workspace;
  readonly providers: readonly Provider[];
  /** A filter hides operations. */
  readonly isFiltered: boolean;
  readonly onShowAll: () => void;
}): ReactElement {
  if (isFiltered) {
    return (
      <div className="empty">
        <h2>No operations match</h2>
        <p>The filters hide all operations.</p>
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
        No operations
      </h2>
      <p>
        Changes below <span className="mono">/github/</span> are sent to the provider “github” once it is
        registered. {providers.length === 0 ? 'Without a provider, all data stays on this computer.' : ''}
      </p>
      <div className="code-line">
        <code className="code">{command}</code>
        <CopyButton text={command} what="the command" />
      </div>
      <p className="hint">
        Your program reads and acknowledges the operations. With <span className="mono unbroken">--url</span>{' '}
        the agent sends them to that URL, signed.
      </p>
    </div>
  );
}
