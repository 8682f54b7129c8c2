// Who is at work on this agent: tokens of programs, how much they ask and write, and when last. The owner's own is left out:
// this page and the command line use it.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { AgentClients } from '../../../sdk/index.ts';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { describeError, useServices, workspaceName } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import { Icon } from '../../parts/feedback/icon.tsx';
import { Time } from '../../parts/feedback/time.tsx';

const readAgainMs = 5_000;
const shownMax = 6;

export function ClientsCard({ workspaces }: { readonly workspaces: readonly Workspace[] }): ReactElement {
  const { client } = useServices();
  const query = useQuery({
    queryKey: ['clients-at-work'],
    queryFn: async ({ signal }) => await client.clientsAtWork({ signal }),
    staleTime: 0,
    refetchInterval: readAgainMs,
  });
  const others = query.data?.clients.filter(({ owner }) => !owner) ?? [];
  const minutes = query.data?.minutes ?? 10;
  return (
    <section className="card" aria-labelledby="clients-at-work">
      <header>
        <h2 id="clients-at-work">Clients at work</h2>
        <span className="end faint">last {minutes} minutes</span>
      </header>
      <div className="card-body">
        {query.data === undefined ? (
          <p className="soft">{query.error === null ? 'Reading.' : describeError(query.error)}</p>
        ) : others.length === 0 ? (
          <p className="soft">
            Nobody else right now. A program with a token of its own is listed here while it works:{' '}
            <Link href="/settings/tokens">Access tokens</Link>.
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
          <p className="faint">And {count(others.length - shownMax)} more.</p>
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
