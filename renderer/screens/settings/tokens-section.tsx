// Who may use the API: every token with what it may, where, until when; made here and revoked at once.
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { AccessToken } from '../../../server/contract/workspaces.ts';
import { agentUrl } from '../../api/desktop.ts';
import { useDisabledReason, useServices, useStatus, workspaceName } from '../../api/services.ts';
import { useKeys } from '../../keys.ts';
import { isActive, permissionsOf, tokenStatus } from '../../model/access/token-view.ts';
import { plural } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { TokenDialog } from '../../parts/dialogs/token-dialog.tsx';
import { announce } from '../../parts/feedback/announcer.tsx';
import { LoadError } from '../../parts/feedback/failed-reading.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time, useNow } from '../../parts/feedback/time.tsx';
import { actionsColumn, TableCard } from '../../parts/tables/table-card.tsx';
import { SectionHead } from './section-head.tsx';

export function TokensSection(): ReactElement {
  const { client } = useServices();
  const queries = useQueryClient();
  const disabledReason = useDisabledReason();
  const workspaces = useStatus()?.workspaces ?? [];
  const now = useNow();
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<AccessToken | null>(null);
  const [showsEnded, setShowsEnded] = useState(false);
  const { tokens, reading, error } = useQueries({
    queries: workspaces.map(({ workspaceId }) => ({
      queryKey: ['tokens', workspaceId],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        await client.tokens.list(workspaceId, { signal }),
      staleTime: 0,
    })),
    combine: (results) => ({
      tokens: results.flatMap((result) => result.data ?? []),
      reading: results.some((result) => result.isPending),
      error: results.find((result) => result.isError)?.error ?? null,
    }),
  });
  const readAgain = (): void => void queries.invalidateQueries({ queryKey: ['tokens'] });
  const active = tokens.filter((token) => isActive(token, now));
  const shown = (showsEnded ? tokens : active).toSorted(
    (a, b) =>
      Number(isActive(b, now)) - Number(isActive(a, now)) ||
      Date.parse(b.createdAt) - Date.parse(a.createdAt),
  );
  const whyNot =
    disabledReason ?? (workspaces.length === 0 ? 'A token opens a workspace, and there is none.' : null);
  useKeys({ n: () => whyNot === null && setCreating(true) });
  return (
    <>
      <SectionHead
        title="Access tokens"
        about={reading || error !== null ? undefined : `${active.length} active`}
      >
        <Button
          kind="primary"
          icon="add"
          shortcut="N"
          disabledReason={whyNot}
          onClick={() => setCreating(true)}
        >
          Create token…
        </Button>
      </SectionHead>
      {error === null ? null : (
        <LoadError
          what="the tokens"
          error={error}
          path={agentUrl()}
          retry="By itself, when the agent answers again."
          onAgain={readAgain}
        />
      )}
      {shown.length === 0 && !reading && error === null ? (
        <div className="empty-card">
          <p>
            Every program that works with the files gets a token of its own: with its own name in the history,
            its own limits and its own end.{' '}
            {active.length < tokens.length ? 'None is active.' : 'There is none.'}
          </p>
        </div>
      ) : shown.length === 0 ? null : (
        <TableCard
          columns={[
            'Used by',
            'May',
            { name: 'Until', brief: true },
            { name: 'Last used', brief: true },
            actionsColumn,
          ]}
          className="tokens"
        >
          {shown.map((token) => (
            <TokenRow
              key={token.tokenId}
              token={token}
              workspace={workspaceName(workspaces, token.workspaceId)}
              now={now}
              onRevoke={() => setRevoking(token)}
            />
          ))}
        </TableCard>
      )}
      {active.length === tokens.length ? null : (
        <button type="button" className="more" onClick={() => setShowsEnded(!showsEnded)}>
          {showsEnded
            ? 'Show active ones only'
            : `Show ${plural(tokens.length - active.length, 'revoked or ended one')}`}
        </button>
      )}
      <p className="hint">Tokens themselves are not kept: one that is lost is revoked and made anew.</p>
      {creating ? (
        <TokenDialog
          workspaceId={null}
          name={null}
          onClose={() => setCreating(false)}
          onCreated={readAgain}
        />
      ) : null}
      {revoking === null ? null : (
        <ConfirmDialog
          title={`Revoke the token of ${revoking.agent}?`}
          confirm="Revoke"
          danger
          onConfirm={async () => {
            await client.tokens.revoke(revoking.workspaceId, revoking.tokenId);
            announce(`The token of ${revoking.agent} is revoked.`);
            readAgain();
          }}
          onClose={() => setRevoking(null)}
        >
          <p>
            Its next request is refused, and its live streams are closed at once. What it wrote stays. This
            cannot be undone; another token can be made.
          </p>
        </ConfirmDialog>
      )}
    </>
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
        <span className="second faint">{workspace}</span>
      </th>
      <td>
        <span className="mono">{scopes.join(' ')}</span>
        <span className="second faint">
          {paths.length === 0 ? 'all files' : <span className="mono">{paths.join(' ')}</span>}
          {token.deletesPerMinute === undefined
            ? ''
            : `, at most ${plural(token.deletesPerMinute, 'delete')} a minute`}
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
