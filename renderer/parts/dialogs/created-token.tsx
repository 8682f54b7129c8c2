// A new token, and what a program needs to use it. Nothing else shows a token.
import { type ReactElement, useState } from 'react';
import type { AccessTokenCreated } from '../../../server/contract/workspaces.ts';
import { agentUrl } from '../../api/desktop.ts';
import { useStatus } from '../../api/services.ts';
import {
  type ConfigurationKind,
  clientConfiguration,
  configurationKinds,
  type McpClientName,
  mcpClientNames,
} from '../../model/access/client-configurations.ts';
import { beginOfPattern } from '../../model/access/token-path.ts';
import { permissionsOf } from '../../model/access/token-view.ts';
import { CopyButton } from '../buttons/copy.tsx';
import { Segments } from '../buttons/segments.tsx';
import { Time } from '../feedback/time.tsx';
import { FilterMenu } from '../fields/choice-menu.tsx';
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

/** The token, and the configuration of a program that uses it: shown without the token, copied with it. */
export function TokenText({ created }: { readonly created: AccessTokenCreated }): ReactElement {
  const url = useStatus()?.url ?? agentUrl();
  const { accessToken, token } = created;
  const [kind, setKind] = useState<ConfigurationKind>('curl');
  const [client, setClient] = useState<McpClientName>('Claude Code');
  const { text, place } = clientConfiguration(kind, client, {
    url,
    workspaceId: accessToken.workspaceId,
    token,
    path: beginOfPattern(permissionsOf(accessToken.scopes).paths[0]),
  });
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
        <span className="label">Use it with</span>
        <span className="row wrap">
          <Segments
            label="Program"
            options={configurationKinds.map((each) => ({ value: each, text: each }))}
            value={kind}
            onChange={setKind}
          />
          {kind === 'MCP' ? (
            <FilterMenu
              label="Client"
              value={client}
              options={mcpClientNames.map((each) => ({ value: each, text: each }))}
              onChange={setClient}
            />
          ) : null}
        </span>
        <div className="code-line">
          <code className="code">{text.replaceAll(token, '…')}</code>
          <CopyButton
            text={text}
            what={kind === 'MCP' ? `the configuration of ${client}` : configurationNames[kind]}
          />
        </div>
        <p className="hint">
          {place}
          {text.includes(token) ? ' The copy contains the token where “…” is shown.' : null}
        </p>
      </div>
    </>
  );
}

const configurationNames: Readonly<Record<Exclude<ConfigurationKind, 'MCP'>, string>> = {
  curl: 'the command with the token',
  SDK: 'the program with the token',
  '.env': 'the lines for .env',
};
