// The filters of dead letters: provider, cause, age, text.
import type { ReactElement, RefObject } from 'react';
import type { IngressStatus } from '../../../sdk/index.ts';
import { count } from '../../model/format.ts';
import { causeTitle, failureCauses, isFailureCause } from '../../model/inbound/failure-cause.ts';
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
      <select
        className="input choice"
        aria-label="Cause"
        value={location.cause ?? ''}
        onChange={(event) => {
          const cause = event.target.value;
          go({ cause: isFailureCause(cause) ? cause : null, envelopeId: null }, true);
        }}
      >
        <option value="">Cause: any</option>
        {failureCauses.map((cause) => (
          <option key={cause} value={cause}>
            {causeTitle(cause)}
          </option>
        ))}
      </select>
      <select
        className="input choice"
        aria-label="Age"
        value={location.age}
        onChange={(event) => go({ age: event.target.value as Age, envelopeId: null }, true)}
      >
        {Object.entries(ages).map(([age, { label }]) => (
          <option key={age} value={age}>
            {label}
          </option>
        ))}
      </select>
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
