// The newest events of all workspaces, live: who, what, where.
import { type ReactElement, useMemo } from 'react';
import { Link } from 'wouter';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { useObservable } from '../../api/observable.ts';
import { useActorsOfAll } from '../../api/revision-actors.ts';
import { useServices, workspaceName } from '../../api/services.ts';
import { filesHref } from '../../location/app-location.ts';
import { capitalized, eventView, isFileChange } from '../../model/inbound/event-view.ts';
import { Icon } from '../../parts/feedback/icon.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Time } from '../../parts/feedback/time.tsx';

const shownMax = 14;

export function RecentActivity({ workspaces }: { readonly workspaces: readonly Workspace[] }): ReactElement {
  const { live } = useServices();
  const recent = useObservable(live.recent);
  const events = useMemo(
    () => recent.filter((event) => isFileChange(event.frame)).slice(0, shownMax),
    [recent],
  );
  const actors = useActorsOfAll(events);
  return (
    <section className="card" aria-labelledby="recent-activity">
      <header>
        <h2 id="recent-activity">Recent activity</h2>
        <Link className="end card-note" href="/activity">
          Show all
        </Link>
      </header>
      <div className="card-body">
        {events.length === 0 ? (
          <p className="soft">No changes yet. Save a file in a mirrored folder.</p>
        ) : (
          <ul className="feed">
            {events.map(({ workspaceId, frame }) => {
              const view = eventView(frame);
              const actor = view.actor ?? actors.get(frame.revision) ?? null;
              const where = workspaceName(workspaces, workspaceId);
              return (
                <li
                  key={frame.eventId}
                  title={`${actor === null ? '' : `${actor} `}${view.verb} ${frame.path} in ${where}`}
                >
                  <span className="faint">
                    <Time at={frame.timestamp} as="clock" />
                  </span>
                  <Icon of={view.icon} small />
                  <span className="feed-what">
                    {actor === null ? (
                      <b>{capitalized(view.verb)}</b>
                    ) : (
                      <>
                        <b className="ellipsis">{actor}</b> <span className="soft">{view.verb}</span>
                      </>
                    )}{' '}
                    {frame.type === 'file.deleted' ? (
                      <PathText path={frame.path} />
                    ) : (
                      <Link className="feed-link" href={filesHref(workspaceId, frame.path, 'file')}>
                        <PathText path={frame.path} />
                      </Link>
                    )}
                  </span>
                  {workspaces.length < 2 ? null : <span className="feed-where faint ellipsis">{where}</span>}
                </li>
              );
            })}
          </ul>
        )}
      </div>
    </section>
  );
}
