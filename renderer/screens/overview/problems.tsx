// What a mirror does not do right now, each in its four parts. Short at first; the rest on request.
import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import type { Mirror, MirrorProblem } from '../../../server/contract/workspaces.ts';
import { filesHref } from '../../app-location.ts';
import { count, counted } from '../../model/format.ts';
import { isConflict } from '../../model/mirror-view.ts';
import { ErrorBlock, RetryAt } from '../../parts/error-block.tsx';
import { PathText } from '../../parts/path-text.tsx';
import { placeHref } from '../../screen-place.ts';

const shownAtFirst = 2;

export function Problems({ mirror }: { readonly mirror: Mirror }): ReactElement {
  const [all, setAll] = useState(false);
  const shown = all ? mirror.problemList : mirror.problemList.slice(0, shownAtFirst);
  const hidden = mirror.problemList.length - shown.length;
  const beyond = Math.max(0, mirror.problems + mirror.conflicts - mirror.problemList.length);
  return (
    <div className="problems">
      {shown.map((problem) => (
        <ErrorBlock
          key={`${problem.kind} ${problem.path}`}
          tone="warn"
          cause={problem.cause}
          path={<ProblemPath mirror={mirror} problem={problem} />}
          next={
            isConflict(problem) ? (
              <Link href={placeHref('conflicts', null, { workspace: mirror.workspaceId })}>
                Choose a version in Conflicts
              </Link>
            ) : (
              problem.next
            )
          }
          retry={<RetryAt at={problem.retryAt} otherwise={whyNoRetry(problem)} />}
        />
      ))}
      {hidden > 0 ? (
        <button type="button" className="more" onClick={() => setAll(true)}>
          Show {count(hidden)} more
        </button>
      ) : null}
      {all && beyond > 0 ? <p className="hint">{counted(beyond, 'further one')} not listed here.</p> : null}
    </div>
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

/** What stands instead of a time. */
function whyNoRetry(problem: MirrorProblem): string {
  if (isConflict(problem)) return 'None by itself: both versions are kept until you choose.';
  if (problem.kind === 'mirror_failed') return 'By itself, again and again.';
  return 'By itself, when something changes there.';
}
