// The access tokens with permissions, expiry and last use; create, revoke.
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { AccessToken } from '../../../server/contract/workspaces.ts';
import { useDisabledReason, useServices, useStatus, workspaceName } from '../../api/services.ts';
import { useViewer } from '../../api/viewer.ts';
import { useKeys } from '../../keys.ts';
import { isActive, permissionsOf, tokenStatus } from '../../model/access/token-view.ts';
import { count, plural } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { TokenDialog } from '../../parts/dialogs/token-dialog.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { LoadError } from '../../parts/feedback/load-error.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time, useNow } from '../../parts/feedback/time.tsx';
import { actionsColumn, TableCard } from '../../parts/tables/table-card.tsx';
import { SectionHead } from './section-head.tsx';

export function TokensSection(): ReactElement {
  const queries = useQueryClient();
  const disabledReason = useDisabledReason();
  const workspaces = useStatus()?.workspaces ?? [];
  const isUser = useViewer()?.user !== undefined;
  const now = useNow();
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<AccessToken | null>(null);
  const [showsExpired, setShowsExpired] = useState(false);
  const { tokens, isLoading, error } = useTokens();
  const reload = (): void => void queries.invalidateQueries({ queryKey: ['tokens'] });
  const active = tokens.filter((token) => isActive(token, now));
  const shown = (showsExpired ? tokens : active).toSorted(
    (a, b) =>
      Number(isActive(b, now)) - Number(isActive(a, now)) ||
      Date.parse(b.createdAt) - Date.parse(a.createdAt),
  );
  const createDisabled = disabledReason ?? (workspaces.length === 0 ? 'Create a workspace first.' : null);
  useKeys({ n: () => createDisabled === null && setCreating(true) });
  return (
    <>
      <SectionHead
        title="Access tokens"
        about={isLoading || error !== null ? undefined : `${active.length} active`}
      >
        <Button
          kind="primary"
          icon="add"
          shortcut="N"
          disabledReason={createDisabled}
          onClick={() => setCreating(true)}
        >
          Create token…
        </Button>
      </SectionHead>
      {error === null ? null : <LoadError what="the tokens" error={error} onAgain={reload} />}
      {shown.length === 0 && !isLoading && error === null ? (
        <NoTokens hasInactive={active.length < tokens.length} />
      ) : shown.length === 0 ? null : (
        <TokenTable tokens={shown} onRevoke={setRevoking} />
      )}
      {active.length === tokens.length ? null : (
        <button type="button" className="more" onClick={() => setShowsExpired(!showsExpired)}>
          {showsExpired
            ? 'Show active tokens only'
            : `Show ${plural(tokens.length - active.length, 'revoked or expired token')}`}
        </button>
      )}
      <p className="hint">
        Tokens cannot be shown again. If one is lost, revoke it and create a new one.
        {isUser ? ' A personal token never exceeds your role, now or later.' : ''}
      </p>
      {creating ? (
        <TokenDialog workspaceId={null} name={null} onClose={() => setCreating(false)} onCreated={reload} />
      ) : null}
      {revoking === null ? null : (
        <RevokeDialog token={revoking} onRevoked={reload} onClose={() => setRevoking(null)} />
      )}
    </>
  );
}

function useTokens() {
  const { client } = useServices();
  const workspaces = useStatus()?.workspaces ?? [];
  return useQueries({
    queries: workspaces.map(({ workspaceId }) => ({
      queryKey: ['tokens', workspaceId],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        await client.tokens.list(workspaceId, { signal }),
    })),
    combine: (results) => ({
      tokens: results.flatMap((result) => result.data ?? []),
      isLoading: results.some((result) => result.isPending),
      error: results.find((result) => result.isError)?.error ?? null,
    }),
  });
}

function NoTokens({ hasInactive }: { readonly hasInactive: boolean }): ReactElement {
  return (
    <div className="empty-card">
      <p>
        {hasInactive ? 'No active tokens.' : 'No tokens yet.'} Create one for each program: its name appears
        in history, and it has its own limits and expiry.
      </p>
    </div>
  );
}

function TokenTable({
  tokens,
  onRevoke,
}: {
  readonly tokens: readonly AccessToken[];
  readonly onRevoke: (token: AccessToken) => void;
}): ReactElement {
  const workspaces = useStatus()?.workspaces ?? [];
  const now = useNow();
  return (
    <TableCard
      columns={[
        'Name',
        'Permissions',
        { name: 'Expires', brief: true },
        { name: 'Last used', brief: true },
        actionsColumn,
      ]}
      className="tokens"
    >
      {tokens.map((token) => (
        <TokenRow
          key={token.tokenId}
          token={token}
          workspace={workspaceName(workspaces, token.workspaceId)}
          now={now}
          onRevoke={() => onRevoke(token)}
        />
      ))}
    </TableCard>
  );
}

function RevokeDialog({
  token,
  onRevoked,
  onClose,
}: {
  readonly token: AccessToken;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  return (
    <ConfirmDialog
      title={`Revoke the token of ${token.agent}?`}
      confirm="Revoke"
      danger
      onConfirm={async () => {
        await client.tokens.revoke(token.workspaceId, token.tokenId);
        announce(`Token of ${token.agent} revoked.`);
        onRevoked();
      }}
      onClose={onClose}
    >
      <p>
        Its requests are rejected and its live streams are closed immediately. Files that it wrote are kept.
        This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}

function TokenRow({
  token,
  workspace,
  now,
  onRevoke,
}: {
  readonly token: AccessToken;
  readonly workspace: string;
  readonly now: number;
  readonly onRevoke: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const { scopes, paths } = permissionsOf(token.scopes);
  const active = isActive(token, now);
  return (
    <tr>
      <th scope="row">
        {token.agent}
        <span className="second faint">
          {token.user === undefined ? workspace : `of ${token.user} in ${workspace}`}
        </span>
      </th>
      <td>
        <span className="mono">{scopes.join(' ')}</span>
        <span className="second faint">
          {paths.length === 0 ? 'all files' : <span className="mono">{paths.join(' ')}</span>}
          {token.deletesPerMinute === undefined
            ? ''
            : `, delete limit ${count(token.deletesPerMinute)} per minute`}
        </span>
      </td>
      <td>
        <Status {...tokenStatus(token, now)} />
        <span className="second faint">
          <Time at={token.revokedAt ?? token.expiresAt} as="date" />
        </span>
      </td>
      <td className="soft">
        {token.lastUsedAt === undefined ? 'Never' : <Time at={token.lastUsedAt} as="ago" />}
      </td>
      <td className="actions">
        {active ? (
          <Button disabledReason={disabledReason} onClick={onRevoke}>
            Revoke…<span className="reader-only"> the token of {token.agent}</span>
          </Button>
        ) : null}
      </td>
    </tr>
  );
}
