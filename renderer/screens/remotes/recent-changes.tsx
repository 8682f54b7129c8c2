// The newest changes of a remote's directory with their authors: people, agents and folders here, and the other server.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { Remote } from '../../../sdk/index.ts';
import type { HistoryEntry } from '../../../server/contract/history.ts';
import { describeError, useServices } from '../../api/services.ts';
import { useLiveRefresh } from '../../api/use-live-refresh.ts';
import { filesHref } from '../../location/app-location.ts';
import { screenHref } from '../../location/screen-location.ts';
import { actorName, lastChanges } from '../../model/files/history-view.ts';
import { nameOf } from '../../model/files/path.ts';
import { FailureText } from '../../parts/feedback/note.tsx';
import { Time } from '../../parts/feedback/time.tsx';

const verbs: Readonly<Record<HistoryEntry['action'], string>> = {
  write: 'changed',
  delete: 'deleted',
  move: 'moved',
};
const changesMax = 12;
/** Entries that are loaded to find them; a change can have many files. */
const entriesMax = 100;

export function RecentChanges({ remote }: { readonly remote: Remote }): ReactElement {
  const { client } = useServices();
  const { workspaceId, path } = remote;
  const key = ['remote-changes', workspaceId];
  useLiveRefresh(workspaceId, key);
  const query = useQuery({
    queryKey: [...key, path],
    queryFn: async ({ signal }) =>
      await client.history.page(workspaceId, path, { below: true, limit: entriesMax, signal }),
  });
  const changes = lastChanges(query.data?.entries ?? [], changesMax);
  return (
    <section className="work-section" aria-labelledby="remote-changes">
      <h3 id="remote-changes" className="row">
        <span className="grow">Recent changes</span>
        <Link href={screenHref('activity', null, { workspace: workspaceId })}>Show all</Link>
      </h3>
      <FailureText error={query.isError ? describeError(query.error) : null} />
      {query.data !== undefined && changes.length === 0 ? <p className="soft">No changes yet.</p> : null}
      <ul className="remote-changes">
        {changes.map(({ entry, files }) => (
          <li key={entry.batch}>
            <span className="grow ellipsis">
              <b>{actorName(entry)}</b> <span className="soft">{verbs[entry.action]}</span>{' '}
              {entry.action === 'delete' || files !== nameOf(entry.path) ? (
                files
              ) : (
                <Link className="feed-link" href={filesHref(workspaceId, entry.path, 'file')}>
                  {files}
                </Link>
              )}
            </span>
            <span className="faint">
              <Time at={entry.at} as="ago" />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
