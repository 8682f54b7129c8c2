// What is on its way, read and followed, and what of it the filters let through, by provider.
import { useMemo } from 'react';
import type { Operation } from '../../../server/contract/operations.ts';
import { useOutbound, useProviders } from '../../api/outbound.ts';
import { useLiveRefresh } from '../../api/use-live-refresh.ts';
import type { ScreenLocation } from '../../location/screen-location.ts';
import {
  type OutboundFilter,
  type OutboundGroup,
  outboundFilters,
  outboundGroups,
  passesFilter,
  pendingOperationCount,
} from '../../model/outbound/outbound-view.ts';

export interface WritebackFilter {
  readonly filter: OutboundFilter;
  readonly text: string;
}

export function filterAt({ field }: ScreenLocation): WritebackFilter {
  return {
    filter: outboundFilters.find((each) => each === field('filter')) ?? 'all',
    text: field('text'),
  };
}

export interface WritebackOperations {
  readonly outbound: ReturnType<typeof useOutbound>;
  readonly providers: ReturnType<typeof useProviders>;
  /** All there are. */
  readonly operations: readonly Operation[];
  readonly groups: readonly OutboundGroup[];
  /** Of all groups, in their order. */
  readonly shown: readonly Operation[];
}

export function useOperations(workspaceId: string, { filter, text }: WritebackFilter): WritebackOperations {
  const providers = useProviders(workspaceId);
  const moving = pendingOperationCount(providers.data?.providers ?? [], providers.data?.syncs ?? []) > 0;
  const outbound = useOutbound(workspaceId, moving);
  useLiveRefresh(workspaceId, ['outbound', workspaceId]);
  const operations = outbound.data?.operations ?? none;
  const groups = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    const matching = operations.filter(
      (each) =>
        passesFilter(each, filter) &&
        (wanted === '' ||
          (each.path ?? '').toLowerCase().includes(wanted) ||
          each.opId.toLowerCase().startsWith(wanted)),
    );
    const all = outboundGroups(matching, providers.data?.providers ?? []);
    // Narrowed, only what matches is shown; in "All" every provider has its line.
    return filter === 'all' && wanted === '' ? all : all.filter((group) => group.operations.length > 0);
  }, [operations, filter, text, providers.data]);
  const shown = useMemo(() => groups.flatMap((group) => group.operations), [groups]);
  return { outbound, providers, operations, groups, shown };
}

const none: readonly Operation[] = [];
