// The newest changes of all workspaces, live: who, what and where.
import { type ReactElement, useMemo } from 'react';
import { Link } from 'wouter';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import type { LiveEvent } from '../../api/live-feed.ts';
import { useObservable } from '../../api/observable.ts';
import { useRecentActors } from '../../api/revision-actors.ts';
import { useServices, workspaceName } from '../../api/services.ts';
import { filesHref } from '../../location/app-location.ts';
import type { ActorView } from '../../model/actor-view.ts';
import { plural } from '../../model/format.ts';
import { capitalized, eventView } from '../../model/inbound/event-view.ts';
import { type RecentRow, recentRows } from '../../model/inbound/recent-rows.ts';
import { Avatar } from '../../parts/feedback/avatar.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Time } from '../../parts/feedback/time.tsx';

const shownMax = 14;

export function RecentActivity({ workspaces }: { readonly workspaces: readonly Workspace[] }): ReactElement {
  const { live } = useServices();
  const recent = useObservable(live.recent);
  const rows = useMemo(() => recentRows(recent, shownMax), [recent]);
  const actorOf = useRecentActors(useMemo(() => rows.map(({ event }) => event), [rows]));
  return (
    <section className="card" aria-labelledby="recent-activity">
      <header>
        <h2 id="recent-activity">Recent activity</h2>
        <Link className="end card-note" href="/activity">
          Show all
        </Link>
      </header>
      {rows.length === 0 ? (
        <p className="card-body soft">No changes yet. Save a file in a mirrored folder.</p>
      ) : (
        <ul className="feed">
          {rows.map((row) => (
            <Row
              key={row.event.frame.eventId}
              row={row}
              actor={eventView(row.event.frame).actor ?? actorOf(row.event)}
              where={workspaces.length < 2 ? null : workspaceName(workspaces, row.event.workspaceId)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({
  row: { event, files, path },
  actor,
  where,
}: {
  readonly row: RecentRow<LiveEvent>;
  /** null: not loaded yet. */
  readonly actor: ActorView | null;
  /** The workspace; null: there is only one. */
  readonly where: string | null;
}): ReactElement {
  const { workspaceId, frame } = event;
  const { icon, verb } = eventView(frame);
  const what = files === 1 ? '' : `${plural(files, 'file')} in `;
  const target = <PathText path={path} />;
  return (
    <li
      title={`${actor === null ? '' : `${actor.name} `}${verb} ${what}${path}${where === null ? '' : ` in ${where}`}`}
    >
      {actor === null ? (
        <span className="avatar hue-0" aria-hidden="true">
          <Icon of={icon} small />
        </span>
      ) : (
        <Avatar of={actor} />
      )}
      <span className="feed-what">
        {actor === null ? (
          <b>{capitalized(verb)}</b>
        ) : (
          <>
            <b className="ellipsis">{actor.name}</b> <span className="soft">{verb}</span>
          </>
        )}{' '}
        {what === '' ? null : <span className="soft">{what}</span>}
        {frame.type === 'file.deleted' ? (
          target
        ) : (
          <Link className="feed-link" href={filesHref(workspaceId, path, files === 1 ? 'file' : 'dir')}>
            {target}
          </Link>
        )}
      </span>
      {where === null ? null : <span className="feed-where faint ellipsis">{where}</span>}
      <span className="faint">
        <Time at={frame.timestamp} as="clock" />
      </span>
    </li>
  );
}
