// The filters of the log: level, source, time range and text.
import type { ReactElement, RefObject } from 'react';
import { type LogFilters, levelNames, sourceNames } from '../../model/diagnosis/log-view.ts';
import { rangeName } from '../../model/inbound/time-range.ts';
import { Icon } from '../../parts/feedback/icon.tsx';
import { FilterMenu } from '../../parts/fields/choice-menu.tsx';
import { FilterChips } from '../../parts/fields/filter-chips.tsx';
import { FilterField } from '../../parts/fields/filter-field.tsx';

/** Fields of the URL; '': not set. */
export interface LogFields {
  readonly level?: string;
  readonly source?: string;
  readonly text?: string;
  readonly range?: string;
}

/** Each includes the more severe ones. */
const levels = [
  { value: '', name: 'All' },
  { value: 'info', name: levelNames.info },
  { value: 'warn', name: 'Warnings' },
  { value: 'error', name: 'Errors' },
];

export function LogFilterBar({
  filters: { level, source, text, range },
  textField,
  onChange,
  onLeave,
}: {
  readonly filters: LogFilters;
  readonly textField: RefObject<HTMLInputElement | null>;
  /** `replace`: without a history entry of the browser. */
  readonly onChange: (fields: LogFields, replace: boolean) => void;
  readonly onLeave: () => void;
}): ReactElement {
  return (
    <div className="filter-bar">
      <FilterChips
        label="Level"
        value={level}
        options={levels}
        onChange={(next: string) => onChange({ level: next }, false)}
      />
      <FilterMenu
        label="Source"
        value={source}
        options={[
          { value: '', text: 'all' },
          ...Object.entries(sourceNames).map(([value, name]) => ({ value, text: name })),
        ]}
        onChange={(next: string) => onChange({ source: next }, false)}
      />
      {range === null ? null : (
        <span className="chips">
          <button
            type="button"
            aria-pressed={true}
            title="Clear time range"
            onClick={() => onChange({ range: '' }, true)}
          >
            {rangeName(range)}
            <Icon of="close" small />
          </button>
        </span>
      )}
      <FilterField
        position="end"
        fieldRef={textField}
        label="Text, path, id or correlation id"
        placeholder="Text or id"
        value={text}
        onChange={(value) => onChange({ text: value }, true)}
        onLeave={onLeave}
      />
    </div>
  );
}
