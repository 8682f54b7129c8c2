// Every stop has four parts, in this order, everywhere: cause, path, next, retry. "Retry" is never empty.
import type { ReactElement, ReactNode } from 'react';
import { duration } from '../../model/format.ts';
import { useNow } from './time.tsx';

export interface ErrorBlockProps {
  /** bad: it needs you. warn: it goes on by itself, or nothing is lost by waiting. */
  readonly tone: 'bad' | 'warn';
  readonly cause: ReactNode;
  readonly path: ReactNode;
  readonly next: ReactNode;
  readonly retry: ReactNode;
  /** What only helps whoever helps; folded. */
  readonly details?: ReactNode;
  /** Spoken at once; only for a halted mirror. */
  readonly alert?: boolean;
}

export function ErrorBlock({
  tone,
  cause,
  path,
  next,
  retry,
  details = null,
  alert = false,
}: ErrorBlockProps): ReactElement {
  return (
    <div className={`error-block ${tone}`} {...(alert ? { role: 'alert' } : {})}>
      <dl>
        <dt>Cause</dt>
        <dd>{cause}</dd>
        <dt>Path</dt>
        <dd>{path}</dd>
        <dt>Next</dt>
        <dd>{next}</dd>
        <dt>Retry</dt>
        <dd>{retry}</dd>
      </dl>
      {details}
    </div>
  );
}

/** Counts down to a retry; null: there is no time, and `otherwise` says what there is. */
export function RetryAt({
  at,
  otherwise,
}: {
  readonly at: string | null;
  readonly otherwise: string;
}): ReactElement {
  const now = useNow();
  if (at === null) return <>{otherwise}</>;
  const leftMs = Date.parse(at) - now;
  return <>{leftMs > 0 ? `By itself in ${duration(leftMs)}.` : 'By itself, any moment.'}</>;
}
