// The problems of a mirror, grouped by kind when there are many. A few at first; the rest on request.
import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import type { Mirror, MirrorProblem } from '../../../server/contract/workspaces.ts';
import { filesHref } from '../../location/app-location.ts';
import { screenHref } from '../../location/screen-location.ts';
import { count } from '../../model/format.ts';
import { isConflict } from '../../model/mirror/mirror-view.ts';
import { ErrorBlock, RetryAt } from '../../parts/feedback/error-block.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { ProblemGroup } from './problem-group.tsx';

const shownAtFirst = 2;
/** More problems of one kind than this are one block. */
const singlyMax = 2;

export function Problems({ mirror }: { readonly mirror: Mirror }): ReactElement {
  const [all, setAll] = useState(false);
  const groups = mirror.problemGroups.filter((group) => group.count > singlyMax);
  const grouped = new Set(groups.map(({ kind }) => kind));
  const blocks = [
    ...mirror.problemList
      .filter(({ kind }) => !grouped.has(kind))
      .map((problem) => (
        <Problem key={`${problem.kind} ${problem.path} ${problem.cause}`} mirror={mirror} problem={problem} />
      )),
    ...groups.map((group) => <ProblemGroup key={group.kind} mirror={mirror} group={group} />),
  ];
  const shown = all ? blocks : blocks.slice(0, shownAtFirst);
  const hidden = blocks.length - shown.length;
  return (
    <div className="problems">
      {shown}
      {hidden > 0 ? (
        <button type="button" className="more" onClick={() => setAll(true)}>
          Show {count(hidden)} more
        </button>
      ) : null}
    </div>
  );
}

function Problem({
  mirror,
  problem,
}: {
  readonly mirror: Mirror;
  readonly problem: MirrorProblem;
}): ReactElement {
  return (
    <ErrorBlock
      tone="warn"
      cause={problem.cause}
      path={<ProblemPath mirror={mirror} problem={problem} />}
      next={
        isConflict(problem) ? (
          <Link href={screenHref('conflicts', null, { workspace: mirror.workspaceId })}>
            Choose a version in Conflicts
          </Link>
        ) : (
          problem.next
        )
      }
      retry={<RetryAt at={problem.retryAt} otherwise={retryText(problem)} />}
    />
  );
}

function ProblemPath({
  mirror,
  problem,
}: {
  readonly mirror: Mirror;
  readonly problem: MirrorProblem;
}): ReactElement {
  if (problem.path === '/') return <span className="mono">{mirror.dir}</span>;
  return (
    <Link href={filesHref(mirror.workspaceId, problem.path, 'file')}>
      <PathText path={problem.path} />
    </Link>
  );
}

/** Shown when the retry has no time. */
function retryText(problem: MirrorProblem): string {
  if (isConflict(problem)) return 'No automatic retry: both versions are kept until you choose.';
  if (problem.kind === 'mirror_failed') return 'Retries automatically.';
  return 'Retries automatically when the file changes.';
}
