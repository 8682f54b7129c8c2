// The filters of dead letters: provider, cause, age, text.
import type { ReactElement, RefObject } from 'react';
import type { IngressStatus } from '../../../sdk/index.ts';
import { count } from '../../model/format.ts';
import { causeTitle, failureCauses, isFailureCause } from '../../model/inbound/failure-cause.ts';
import { FilterMenu } from '../../parts/fields/choice-menu.tsx';
import { FilterField } from '../../parts/fields/filter-field.tsx';
import { type Age, ages, type DeadLettersLocation } from './location.ts';

interface FiltersProps {
  readonly location: DeadLettersLocation;
  readonly go: (change: Partial<DeadLettersLocation>, replace?: boolean) => void;
  readonly ingress: IngressStatus | undefined;
}

export function DeadLetterFilters({
  filterField,
  onDone,
  ...filters
}: FiltersProps & {
  readonly filterField: RefObject<HTMLInputElement | null>;
  /** The text is complete: moves the focus to the list. */
  readonly onDone: () => void;
}): ReactElement {
  const { location, go } = filters;
  return (
    <search className="work-filters">
      <ProviderChips {...filters} />
      <FilterMenu
        label="Cause"
        value={location.cause ?? ''}
        options={[
          { value: '', text: 'any' },
          ...failureCauses.map((cause) => ({ value: cause, text: causeTitle(cause) })),
        ]}
        onChange={(cause) => go({ cause: isFailureCause(cause) ? cause : null, envelopeId: null }, true)}
      />
      <FilterMenu
        label="Failed"
        value={location.age}
        options={(Object.keys(ages) as Age[]).map((age) => ({ value: age, text: ages[age].label }))}
        onChange={(age) => go({ age, envelopeId: null }, true)}
      />
      <FilterField
        fieldRef={filterField}
        label="Path, delivery id or cause"
        placeholder="Path or delivery id"
        value={location.text}
        onChange={(text) => go({ text }, true)}
        onLeave={onDone}
      />
    </search>
  );
}

function ProviderChips({ location, go, ingress }: FiltersProps): ReactElement {
  const byProvider = Object.entries(ingress?.deadLetterByProvider ?? {})
    .filter(([provider, number]) => number > 0 || provider === location.provider)
    .toSorted((a, b) => b[1] - a[1]);
  const chip = (provider: string | null, label: string, number: number | undefined): ReactElement => (
    <button
      key={label}
      type="button"
      className="chip"
      aria-pressed={location.provider === provider}
      onClick={() => go({ provider, envelopeId: null }, true)}
    >
      <span className="chip-name" title={label}>
        {label}
      </span>{' '}
      {number === undefined ? null : <b>{count(number)}</b>}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: choices of a filter, not a form's fieldset
    <div role="group" aria-label="Provider" className="filter-group">
      {chip(null, 'All', ingress?.deadLetterTotal)}
      {byProvider.map(([provider, number]) => chip(provider, provider, number))}
    </div>
  );
}
