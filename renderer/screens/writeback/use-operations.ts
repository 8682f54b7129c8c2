// What is on its way, read and followed, and what of it the filters let through, by provider.
import { useMemo } from 'react';
import type { Operation } from '../../../server/contract/operations.ts';
import { useOutbound, useProviders } from '../../api/outbound.ts';
import { useLiveRefresh } from '../../api/use-live-refresh.ts';
import type { ScreenPlace } from '../../location/screen-location.ts';
import {
  type OutboundFilter,
  type OutboundGroup,
  openItems,
  outboundFilters,
  outboundGroups,
  passesFilter,
} from '../../model/outbound/outbound-view.ts';

export interface Narrowing {
  readonly filter: OutboundFilter;
  readonly text: string;
}

export function narrowingAt({ field }: ScreenPlace): Narrowing {
  return {
    filter: outboundFilters.find((each) => each === field('filter')) ?? 'all',
    text: field('text'),
  };
}

export interface WritebackItems {
  readonly outbound: ReturnType<typeof useOutbound>;
  readonly providers: ReturnType<typeof useProviders>;
  /** All there are. */
  readonly operations: readonly Operation[];
  readonly groups: readonly OutboundGroup[];
  /** Of all groups, in their order. */
  readonly items: readonly Operation[];
}

export function useItems(workspaceId: string, { filter, text }: Narrowing): WritebackItems {
  const providers = useProviders(workspaceId);
  const moving = openItems(providers.data?.providers ?? [], providers.data?.syncs ?? []) > 0;
  const outbound = useOutbound(workspaceId, moving);
  useLiveRefresh(workspaceId, ['outbound', workspaceId]);
  const operations = outbound.data?.operations ?? none;
  const groups = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    const shown = operations.filter(
      (each) =>
        passesFilter(each, filter) &&
        (wanted === '' ||
          (each.path ?? '').toLowerCase().includes(wanted) ||
          each.opId.toLowerCase().startsWith(wanted)),
    );
    const all = outboundGroups(shown, providers.data?.providers ?? []);
    // Narrowed, only what matches is shown; in "All" every provider has its line.
    return filter === 'all' && wanted === '' ? all : all.filter((group) => group.items.length > 0);
  }, [operations, filter, text, providers.data]);
  const items = useMemo(() => groups.flatMap((group) => group.items), [groups]);
  return { outbound, providers, operations, groups, items };
}

const none: readonly Operation[] = [];
