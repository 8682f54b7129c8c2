// Many problems of one kind in one block: directories with the most problems, and all paths on request.
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactElement, useId, useState } from 'react';
import { Link } from 'wouter';
import type { Mirror, MirrorProblemGroup } from '../../../server/contract/workspaces.ts';
import { useServices } from '../../api/services.ts';
import { filesHref } from '../../location/app-location.ts';
import { screenHref } from '../../location/screen-location.ts';
import { count, plural } from '../../model/format.ts';
import { isConflict } from '../../model/mirror/mirror-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { ErrorBlock } from '../../parts/feedback/error-block.tsx';
import { FailureText } from '../../parts/feedback/note.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';

const pageItems = 200;

export function ProblemGroup({
  mirror,
  group,
}: {
  readonly mirror: Mirror;
  readonly group: MirrorProblemGroup;
}): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  return (
    <ErrorBlock
      tone="warn"
      cause={group.summary.split('; ')[0]}
      path={<Directories mirror={mirror} group={group} />}
      next={
        isConflict(group) ? (
          <Link href={screenHref('conflicts', null, { workspace: mirror.workspaceId })}>
            Choose versions in Conflicts
          </Link>
        ) : (
          (group.next ?? 'See the list: the next step differs per path.')
        )
      }
      retry="Retries automatically when the file changes."
      details={
        <>
          <button
            type="button"
            className="more"
            aria-expanded={isOpen}
            {...(isOpen ? { 'aria-controls': listId } : {})}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide the list' : `List ${plural(group.listed, 'path')}`}
          </button>
          {isOpen ? <PathList id={listId} mirror={mirror} group={group} /> : null}
        </>
      }
    />
  );
}

/** The directories with the most problems, and the number elsewhere. */
function Directories({
  mirror,
  group,
}: {
  readonly mirror: Mirror;
  readonly group: MirrorProblemGroup;
}): ReactElement {
  const named = group.directories.reduce((sum, directory) => sum + directory.count, 0);
  return (
    <ul className="problem-directories">
      {group.directories.map((directory) => (
        <li key={directory.path}>
          <Link href={filesHref(mirror.workspaceId, directory.path, 'dir')}>
            <PathText path={directory.path} />
          </Link>{' '}
          <span className="faint">{count(directory.count)}</span>
        </li>
      ))}
      {named < group.count ? <li className="faint">elsewhere {count(group.count - named)}</li> : null}
    </ul>
  );
}

function PathList({
  id,
  mirror,
  group,
}: {
  readonly id: string;
  readonly mirror: Mirror;
  readonly group: MirrorProblemGroup;
}): ReactElement {
  const { client } = useServices();
  const listed = useInfiniteQuery({
    queryKey: ['problems', mirror.workspaceId, mirror.mirrorId, group.kind, group.count],
    queryFn: async ({ pageParam, signal }) =>
      await client.mirrors.problems(mirror.workspaceId, mirror.mirrorId, {
        kind: group.kind,
        limit: pageItems,
        signal,
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    gcTime: 0,
  });
  const items = listed.data?.pages.flatMap((page) => page.items) ?? [];
  const unlisted = group.count - group.listed;
  return (
    <div id={id}>
      <FailureText error={listed.error} />
      <section
        className="held-list"
        aria-label={group.summary}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling regions must be reachable by keyboard
        tabIndex={0}
      >
        <ul>
          {items.map(({ path, cause, next }) => (
            <li key={`${path} ${cause}`}>
              <PathText path={path} />
              <span className="faint">{group.next === null ? `${cause} ${next}` : cause}</span>
            </li>
          ))}
        </ul>
      </section>
      {listed.hasNextPage ? (
        <Button
          disabledReason={listed.isFetchingNextPage ? 'Loading…' : null}
          onClick={() => void listed.fetchNextPage()}
        >
          {`Show more: ${count(items.length)} of ${count(group.listed)}`}
        </Button>
      ) : null}
      {unlisted > 0 ? <p className="hint">{plural(unlisted, 'more path')} not listed</p> : null}
    </div>
  );
}
