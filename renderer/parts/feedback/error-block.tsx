// An error in four parts: cause, path (or what else failed), next, retry. "Retry" is never empty.
import type { ReactElement, ReactNode } from 'react';
import { duration } from '../../model/format.ts';
import { useNow } from './time.tsx';

export interface ErrorBlockProps {
  /** bad: needs a decision. warn: retries automatically, or waiting loses nothing. */
  readonly tone: 'bad' | 'warn';
  readonly cause: ReactNode;
  readonly path: ReactNode;
  /** What `path` is. */
  readonly pathLabel?: 'Path' | 'Workspace' | 'Address' | 'Id';
  readonly next: ReactNode;
  readonly retry: ReactNode;
  /** For support; collapsed. */
  readonly details?: ReactNode;
  /** Announced immediately; only for a halted mirror. */
  readonly alert?: boolean;
}

export function ErrorBlock({
  tone,
  cause,
  path,
  pathLabel = 'Path',
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
        <dt>{pathLabel}</dt>
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

/** Countdown to a retry; `otherwise`: shown when the retry has no time. */
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
  return <>{leftMs > 0 ? `Retries automatically in ${duration(leftMs)}` : 'Retries automatically now'}</>;
}
