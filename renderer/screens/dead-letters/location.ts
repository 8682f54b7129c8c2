// The URL of Dead letters: `#dead-letters/env_…?workspace=…&provider=slack&cause=…&age=day&text=…`.
import { useLocation, useParams, useSearch } from 'wouter';
import type { FailureCause } from '../../../server/contract/sync.ts';
import { isFailureCause } from '../../model/inbound/failure-cause.ts';

export const ages = {
  any: { label: 'any time', ms: Number.POSITIVE_INFINITY },
  hour: { label: 'in the last hour', ms: 3_600_000 },
  day: { label: 'in the last day', ms: 86_400_000 },
  week: { label: 'in the last week', ms: 7 * 86_400_000 },
} as const;
export type Age = keyof typeof ages;

export interface DeadLettersLocation {
  readonly envelopeId: string | null;
  readonly provider: string | null;
  readonly cause: FailureCause | null;
  readonly age: Age;
  readonly text: string;
  /** As of `model/tables/sorting.ts`; empty: newest first. */
  readonly sort: string;
}

export function useDeadLettersLocation(workspaceId: string): {
  readonly location: DeadLettersLocation;
  readonly go: (change: Partial<DeadLettersLocation>, replace?: boolean) => void;
} {
  const [, navigate] = useLocation();
  const search = new URLSearchParams(useSearch());
  const envelopeId = useParams<{ '*'?: string }>()['*'];
  const cause = search.get('cause');
  const age = search.get('age') ?? 'any';
  const location: DeadLettersLocation = {
    envelopeId: envelopeId === undefined || envelopeId === '' ? null : envelopeId,
    provider: search.get('provider'),
    cause: isFailureCause(cause) ? cause : null,
    age: Object.hasOwn(ages, age) ? (age as Age) : 'any',
    text: search.get('text') ?? '',
    sort: search.get('sort') ?? '',
  };
  return {
    location,
    go: (change, replace = false) =>
      navigate(deadLettersHref(workspaceId, { ...location, ...change }), { replace }),
  };
}

function deadLettersHref(workspaceId: string, location: Partial<DeadLettersLocation> = {}): string {
  const { envelopeId = null, provider = null, cause = null, age = 'any', text = '', sort = '' } = location;
  const search = new URLSearchParams({ workspace: workspaceId });
  if (provider !== null) search.set('provider', provider);
  if (cause !== null) search.set('cause', cause);
  if (age !== 'any') search.set('age', age);
  if (text !== '') search.set('text', text);
  if (sort !== '') search.set('sort', sort);
  const rest = envelopeId === null ? '' : `/${encodeURIComponent(envelopeId)}`;
  return `/dead-letters${rest}?${search}`;
}
