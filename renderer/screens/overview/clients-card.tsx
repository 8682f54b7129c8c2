// Active clients by access token: requests, writes, last activity. The owner's token is excluded: this page and the command
// line use it.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { AgentClients } from '../../../sdk/index.ts';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { describeError, useServices, workspaceName } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import { Icon } from '../../parts/feedback/icon.tsx';
import { Time } from '../../parts/feedback/time.tsx';

const refetchMs = 5_000;
const shownMax = 6;

export function ClientsCard({ workspaces }: { readonly workspaces: readonly Workspace[] }): ReactElement {
  const { client } = useServices();
  const query = useQuery({
    queryKey: ['clients-at-work'],
    queryFn: async ({ signal }) => await client.agent.clients({ signal }),
    refetchInterval: refetchMs,
  });
  const others = query.data?.clients.filter(({ owner }) => !owner) ?? [];
  const minutes = query.data?.minutes ?? 10;
  return (
    <section className="card" aria-labelledby="clients-at-work">
      <header>
        <h2 id="clients-at-work">Active clients</h2>
        <span className="end faint">last {minutes} minutes</span>
      </header>
      <div className="card-body">
        {query.data === undefined ? (
          <p className="soft">{query.error === null ? 'Loading…' : describeError(query.error)}</p>
        ) : others.length === 0 ? (
          <p className="soft">
            No active clients. Programs appear here while they use one of the{' '}
            <Link href="/settings/tokens">access tokens</Link>.
          </p>
        ) : (
          <ul className="clients">
            {others.slice(0, shownMax).map((each) => (
              <ClientRow
                key={each.tokenId ?? `${each.workspaceId} ${each.name}`}
                client={each}
                workspaces={workspaces}
              />
            ))}
          </ul>
        )}
        {others.length > shownMax ? (
          <p className="faint">and {count(others.length - shownMax)} more</p>
        ) : null}
      </div>
    </section>
  );
}

function ClientRow({
  client,
  workspaces,
}: {
  readonly client: AgentClients['clients'][number];
  readonly workspaces: readonly Workspace[];
}): ReactElement {
  const { name, workspaceId, requests, writes, requestsPerMinute, streams, lastActiveAt } = client;
  const workspace = workspaceId === undefined ? '' : workspaceName(workspaces, workspaceId);
  return (
    <li>
      <Icon of="agent" small />
      <span className="ellipsis" title={`${name} in ${workspace}`}>
        <b>{name}</b> <span className="soft">{workspace}</span>
      </span>
      <span className="soft clients-figures">
        {plural(requests, 'request')}
        {requestsPerMinute === 0 ? '' : ` (${count(requestsPerMinute)}/min)`}, {plural(writes, 'write')}
        {streams === 0 ? '' : `, ${plural(streams, 'open stream')}`}
      </span>
      <span className="faint">
        <Time at={lastActiveAt} as="ago" />
      </span>
    </li>
  );
}
