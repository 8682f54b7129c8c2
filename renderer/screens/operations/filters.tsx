// The filters of Operations: state, kind, provider.
import type { ReactElement, RefObject } from 'react';
import { actionName, operationFilterNames, operationFilters } from '../../model/outbound/operation-view.ts';
import type { DeadLettered, OperationsQuery } from './queries.ts';

export function OperationFilters({
  query: { filter, action, provider },
  providers,
  dead,
  firstField,
  onChange,
}: {
  readonly query: OperationsQuery;
  /** The options. */
  readonly providers: readonly string[];
  readonly dead: DeadLettered;
  readonly firstField: RefObject<HTMLSelectElement | null>;
  /** Fields of the address; empty: no filter. */
  readonly onChange: (fields: Readonly<Record<string, string>>) => void;
}): ReactElement {
  const deadCount = dead.items.length;
  return (
    <search className="work-filters">
      {/* biome-ignore lint/a11y/useSemanticElements: choices of a filter, not a form's fieldset */}
      <div role="group" aria-label="State" className="filter-group">
        {operationFilters.map((each) => (
          <button
            key={each}
            type="button"
            className="chip"
            aria-pressed={filter === each}
            onClick={() => onChange({ state: each === 'all' ? '' : each })}
          >
            {operationFilterNames[each]}
            {each === 'dead_lettered' && deadCount > 0 ? (
              <b>{dead.more ? `${deadCount}+` : deadCount}</b>
            ) : null}
          </button>
        ))}
      </div>
      <span className="end row">
        <select
          ref={firstField}
          className="input choice"
          aria-label="Kind"
          value={action}
          onChange={(event) => onChange({ action: event.target.value })}
        >
          <option value="">Kind: any</option>
          {(['file_upsert', 'file_delete'] as const).map((each) => (
            <option key={each} value={each}>
              {actionName({ action: each })}
            </option>
          ))}
        </select>
        <select
          className="input choice"
          aria-label="Provider"
          value={provider}
          onChange={(event) => onChange({ provider: event.target.value })}
        >
          <option value="">Provider: any</option>
          {providers.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </span>
    </search>
  );
}
