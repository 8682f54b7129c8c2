// The filters of Operations: text, state, kind, provider.
import type { ReactElement, RefObject } from 'react';
import { actionName, operationFilterNames, operationFilters } from '../../model/outbound/operation-view.ts';
import { FilterMenu } from '../../parts/fields/choice-menu.tsx';
import { FilterField } from '../../parts/fields/filter-field.tsx';
import type { DeadLettered, OperationsQuery } from './queries.ts';

const actions = ['file_upsert', 'file_delete'] as const;

export function OperationFilters({
  query: { filter, action, provider },
  text,
  providers,
  dead,
  fieldRef,
  onText,
  onLeave,
  onChange,
}: {
  readonly query: OperationsQuery;
  /** The options. */
  readonly providers: readonly string[];
  readonly dead: DeadLettered;
  /** As typed; the query follows. */
  readonly text: string;
  readonly fieldRef: RefObject<HTMLInputElement | null>;
  readonly onText: (text: string) => void;
  /** Moves the focus into the list. */
  readonly onLeave: (begin: boolean) => void;
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
      <span className="end row filter-fields">
        <FilterField
          label="Search by path or id"
          placeholder="Path or id"
          value={text}
          fieldRef={fieldRef}
          onChange={onText}
          onLeave={onLeave}
        />
        <FilterMenu
          label="Kind"
          value={action}
          options={[
            { value: '', text: 'any' },
            ...actions.map((each) => ({ value: each, text: actionName({ action: each }) })),
          ]}
          onChange={(next) => onChange({ action: next })}
        />
        <FilterMenu
          label="Provider"
          value={provider}
          options={[{ value: '', text: 'any' }, ...providers.map((name) => ({ value: name, text: name }))]}
          onChange={(next) => onChange({ provider: next })}
        />
      </span>
    </search>
  );
}
