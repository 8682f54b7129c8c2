// The number of failures at a direction, linked to their screen. Nothing when there are none.
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { StatusKind } from '../../model/mirror/mirror-view.ts';
import { Status } from '../../parts/feedback/status.tsx';

export function FailureLink({
  of,
  word,
  href,
  kind = 'failed',
}: {
  readonly of: number;
  readonly word: string;
  readonly href: string;
  readonly kind?: StatusKind;
}): ReactElement | null {
  if (of === 0) return null;
  return (
    <Link href={href}>
      <Status kind={kind} word={word} />
    </Link>
  );
}
