// Loads the operations of a workspace and filters and groups them by provider.
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
  readonly state: OutboundFilter;
  readonly text: string;
}

export function filterAt({ field }: ScreenLocation): WritebackFilter {
  return {
    state: outboundFilters.find((each) => each === field('filter')) ?? 'all',
    text: field('text'),
  };
}

export interface WritebackOperations {
  readonly outbound: ReturnType<typeof useOutbound>;
  readonly providers: ReturnType<typeof useProviders>;
  /** Without filters. */
  readonly operations: readonly Operation[];
  readonly groups: readonly OutboundGroup[];
  /** The operations of all groups, in their order. */
  readonly shown: readonly Operation[];
}

export function useOperations(workspaceId: string, { state, text }: WritebackFilter): WritebackOperations {
  const providers = useProviders(workspaceId);
  const isBusy = pendingOperationCount(providers.data?.providers ?? [], providers.data?.syncs ?? []) > 0;
  const outbound = useOutbound(workspaceId, isBusy);
  useLiveRefresh(workspaceId, ['outbound', workspaceId]);
  const operations = outbound.data?.operations ?? none;
  const groups = useMemo(() => {
    const query = text.trim().toLowerCase();
    const matching = operations.filter(
      (each) =>
        passesFilter(each, state) &&
        (query === '' ||
          (each.path ?? '').toLowerCase().includes(query) ||
          each.opId.toLowerCase().startsWith(query)),
    );
    const all = outboundGroups(matching, providers.data?.providers ?? []);
    // Without filters every provider has a line, even an empty one.
    return state === 'all' && query === '' ? all : all.filter((group) => group.operations.length > 0);
  }, [operations, state, text, providers.data]);
  const shown = useMemo(() => groups.flatMap((group) => group.operations), [groups]);
  return { outbound, providers, operations, groups, shown };
}

const none: readonly Operation[] = [];
