// Provider, cause, age, text: what of the letters is shown.
import type { ReactElement, RefObject } from 'react';
import type { IngressStatus } from '../../../sdk/index.ts';
import { count } from '../../model/format.ts';
import { causeTitle, failureCauses, isFailureCause } from '../../model/inbound/failure-cause.ts';
import { FilterField } from '../../parts/fields/filter-field.tsx';
import { type Age, ages, type DeadLettersLocation } from './location.ts';

export function DeadLetterFilters({
  place,
  go,
  ingress,
  filterField,
  onDone,
}: {
  readonly place: DeadLettersLocation;
  readonly go: (change: Partial<DeadLettersLocation>, replace?: boolean) => void;
  readonly ingress: IngressStatus | undefined;
  readonly filterField: RefObject<HTMLInputElement | null>;
  /** The filter is typed: on to the list. */
  readonly onDone: () => void;
}): ReactElement {
  const byProvider = Object.entries(ingress?.deadLetterByProvider ?? {})
    .filter(([provider, number]) => number > 0 || provider === place.provider)
    .toSorted((a, b) => b[1] - a[1]);
  const chip = (provider: string | null, words: string, number: number | undefined): ReactElement => (
    <button
      key={words}
      type="button"
      className="chip"
      aria-pressed={place.provider === provider}
      onClick={() => go({ provider, envelopeId: null }, true)}
    >
      <span className="chip-name" title={words}>
        {words}
      </span>{' '}
      {number === undefined ? null : <b>{count(number)}</b>}
    </button>
  );
  return (
    <search className="work-filters">
      {/* biome-ignore lint/a11y/useSemanticElements: choices of a filter, not a form's fieldset */}
      <div role="group" aria-label="Provider" className="filter-group">
        {chip(null, 'All', ingress?.deadLetterTotal)}
        {byProvider.map(([provider, number]) => chip(provider, provider, number))}
      </div>
      <select
        className="input choice"
        aria-label="Cause"
        value={place.cause ?? ''}
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
        value={place.age}
        onChange={(event) => go({ age: event.target.value as Age, envelopeId: null }, true)}
      >
        {Object.entries(ages).map(([age, { words }]) => (
          <option key={age} value={age}>
            {words}
          </option>
        ))}
      </select>
      <FilterField
        fieldRef={filterField}
        label="Path, delivery id or cause"
        placeholder="Path or delivery id"
        value={place.text}
        onChange={(text) => go({ text }, true)}
        onLeave={onDone}
      />
    </search>
  );
}
