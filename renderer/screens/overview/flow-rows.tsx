// The providers or remotes of a place in the data flow: what needs a look first, the others by name.
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { count } from '../../model/format.ts';
import type { StatusView } from '../../model/mirror/mirror-view.ts';
import { compareTexts } from '../../model/tables/sorting.ts';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';

/** Further rows are counted. */
const shownMax = 4;

export interface FlowRow {
  readonly key: string;
  readonly name: string;
  readonly title: string;
  readonly href: string;
  readonly view: StatusView;
  readonly cause: string | null;
  /** Time of its last successful request, sync or inbound event. */
  readonly seenAt: string | null;
}

const rank = { failed: 0, halted: 0, warn: 1, paused: 2 } as const;

export function FlowRows({ rows }: { readonly rows: readonly FlowRow[] }): ReactElement {
  const sorted = rows.toSorted(
    (a, b) => rankOf(a.view.kind) - rankOf(b.view.kind) || compareTexts(a.name, b.name),
  );
  const hidden = sorted.length - shownMax;
  return (
    <ul className="flow-rows">
      {sorted.slice(0, shownMax).map(({ key, name, title, href, view, cause, seenAt }) => (
        <li key={key}>
          <Link className="ellipsis" href={href} title={title}>
            {name}
          </Link>
          <Status {...view} />
          <span className="faint end">{seenAt === null ? null : <Time at={seenAt} as="ago" />}</span>
          {cause === null ? null : (
            <span className="cause faint ellipsis" title={cause}>
              {cause}
            </span>
          )}
        </li>
      ))}
      {hidden > 0 ? <li className="faint">and {count(hidden)} more</li> : null}
    </ul>
  );
}

function rankOf(kind: string): number {
  return kind in rank ? rank[kind as keyof typeof rank] : 3;
}
