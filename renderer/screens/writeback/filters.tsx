// The filters of Writeback: state and text.
import type { ReactElement, RefObject } from 'react';
import type { Operation } from '../../../server/contract/operations.ts';
import type { ScreenLocation } from '../../location/screen-location.ts';
import {
  filterNames,
  type OutboundFilter,
  outboundFilters,
  passesFilter,
} from '../../model/outbound/outbound-view.ts';
import { FilterChips } from '../../parts/fields/filter-chips.tsx';
import { FilterField } from '../../parts/fields/filter-field.tsx';
import type { WritebackFilter } from './use-operations.ts';

export function WritebackFilters({
  filter: { state, text },
  operations,
  go,
  filterField,
  onLeave,
}: {
  readonly filter: WritebackFilter;
  /** null: not loaded, so not counted. */
  readonly operations: readonly Operation[] | null;
  readonly go: ScreenLocation['go'];
  readonly filterField: RefObject<HTMLInputElement | null>;
  readonly onLeave: (begin: boolean) => void;
}): ReactElement {
  return (
    <div className="filter-bar">
      <FilterChips
        label="State"
        value={state}
        options={outboundFilters.map((each) => ({
          value: each,
          name: filterNames[each],
          ...(operations === null
            ? {}
            : { rowCount: operations.filter((operation) => passesFilter(operation, each)).length }),
        }))}
        onChange={(next: OutboundFilter) => go({ fields: { filter: next === 'all' ? '' : next } })}
      />
      <FilterField
        fieldRef={filterField}
        label="Path or operation id"
        position="end"
        value={text}
        onChange={(next) => go({ fields: { text: next }, replace: true })}
        onLeave={onLeave}
      />
    </div>
  );
}
