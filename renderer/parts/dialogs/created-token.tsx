// A new token with an example request. Nothing else shows a token.
import type { ReactElement } from 'react';
import type { AccessTokenCreated } from '../../../server/contract/workspaces.ts';
import { agentUrl } from '../../api/desktop.ts';
import { useStatus } from '../../api/services.ts';
import { CopyButton } from '../buttons/copy.tsx';
import { Time } from '../feedback/time.tsx';
import { ShownOnceDialog } from './shown-once-dialog.tsx';

export function CreatedToken({
  created,
  onClose,
}: {
  readonly created: AccessTokenCreated;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <ShownOnceDialog title={`Token for ${created.accessToken.agent}`} what="token" onClose={onClose}>
      <p className="soft">
        The token is shown only once. It expires on <Time at={created.accessToken.expiresAt} as="date" /> and
        can be revoked at any time in Settings, Access tokens.
      </p>
      <TokenText created={created} />
    </ShownOnceDialog>
  );
}

/** The token and an example request with it. */
export function TokenText({ created }: { readonly created: AccessTokenCreated }): ReactElement {
  const url = useStatus()?.url ?? agentUrl();
  const { accessToken, token } = created;
  const curl = `curl -s '${url}/v1/workspaces/${accessToken.workspaceId}/fs/tree?depth=1' -H 'Authorization: Bearer ${token}' -H 'X-Correlation-Id: first-try'`;
  return (
    <>
      <div className="field">
        <span className="label">Token</span>
        <div className="code-line">
          <code className="code">{token}</code>
          <CopyButton text={token} what="the token" />
        </div>
      </div>
      <div className="field">
        <span className="label">Example request</span>
        <div className="code-line">
          <code className="code">{curl.replace(token, '…')}</code>
          <CopyButton text={curl} what="the command with the token" />
        </div>
      </div>
    </>
  );
}
