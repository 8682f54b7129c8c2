// A direction of the pipeline: an arrow with its pending changes, animated while they are transferred, and a link to its failures.
import type { ReactElement, ReactNode } from 'react';
import { Link } from 'wouter';
import type { StatusKind } from '../../model/mirror/mirror-view.ts';
import { Status } from '../../parts/feedback/status.tsx';

export function Direction({
  idle,
  back = false,
  children,
}: {
  readonly idle: boolean;
  readonly back?: boolean;
  readonly children: ReactNode;
}): ReactElement {
  const head = (
    <svg className="head" viewBox="0 0 9 9" aria-hidden="true">
      <path d={back ? 'M9 0v9L0 4.5z' : 'M0 0v9l9-4.5z'} />
    </svg>
  );
  return (
    <div className={`direction${back ? ' back' : ''}${idle ? ' idle' : ''}`}>
      {back ? null : <span>{children}</span>}
      <span className="direction-line">
        {back ? head : null}
        <svg className="shaft" viewBox="0 0 200 9" preserveAspectRatio="none" aria-hidden="true">
          <path className="wave" d={back ? 'M12 4.5H200' : 'M0 4.5H188'} vectorEffect="non-scaling-stroke" />
        </svg>
        {back ? null : head}
      </span>
      {back ? <span>{children}</span> : null}
    </div>
  );
}

/** Nothing without failures. */
export function FailureLink({
  failures,
  text,
  href,
  kind = 'failed',
}: {
  readonly failures: number;
  readonly text: string;
  readonly href: string;
  readonly kind?: StatusKind;
}): ReactElement | null {
  if (failures === 0) return null;
  return (
    <Link href={href}>
      <Status kind={kind} word={text} />
    </Link>
  );
}
