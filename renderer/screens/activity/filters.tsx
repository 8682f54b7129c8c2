// What of the feed is shown: by kind, by path, by text; echoes on request. The address keeps it.
import type { ReactElement, RefObject } from 'react';
import { type ActivityKind, activityKinds, kindNames } from '../../model/inbound/activity-view.ts';
import { rangeName, type TimeRange } from '../../model/inbound/time-range.ts';
import { Icon } from '../../parts/feedback/icon.tsx';
import { FilterChips } from '../../parts/fields/filter-chips.tsx';
import { FilterField } from '../../parts/fields/filter-field.tsx';

/** As they stand in the address; '' is without. */
export interface FilterFields {
  readonly kind?: string;
  readonly echoes?: string;
  readonly path?: string;
  readonly text?: string;
  readonly range?: string;
}

export function ActivityFilters({
  kind,
  echoes,
  path,
  text,
  range,
  errors,
  textField,
  onChange,
  onLeave,
}: {
  readonly kind: ActivityKind;
  readonly echoes: boolean;
  readonly path: string;
  readonly text: string;
  readonly range: TimeRange | null;
  /** Events of that kind among those read. */
  readonly errors: number;
  readonly textField: RefObject<HTMLInputElement | null>;
  /** `replace`: no step of its own for Back. */
  readonly onChange: (fields: FilterFields, replace: boolean) => void;
  readonly onLeave: () => void;
}): ReactElement {
  return (
    <div className="filter-bar">
      <FilterChips
        label="Kind"
        value={kind}
        options={activityKinds.map((each) => ({
          value: each,
          name: kindNames[each],
          ...(each === 'errors' ? { figure: errors } : {}),
        }))}
        onChange={(next: ActivityKind) => onChange({ kind: next === 'all' ? '' : next }, false)}
      />
      <span className="chips">
        <button
          type="button"
          aria-pressed={echoes}
          title="What came back of what Mooring sent, and what came too late"
          onClick={() => onChange({ echoes: echoes ? '' : '1' }, true)}
        >
          Echoes
        </button>
        {range === null ? null : (
          <button
            type="button"
            aria-pressed={true}
            title="Show any time again"
            onClick={() => onChange({ range: '' }, true)}
          >
            {rangeName(range)}
            <Icon of="close" small />
          </button>
        )}
      </span>
      <span className="end row filter-fields">
        <FilterField
          label="Path, and what lies below it"
          placeholder="/path"
          icon="folder"
          value={path}
          onChange={(value) => onChange({ path: value }, true)}
          onLeave={onLeave}
        />
        <FilterField
          fieldRef={textField}
          label="Name, who, correlation or event id"
          placeholder="Name, who or id"
          icon="search"
          value={text}
          onChange={(value) => onChange({ text: value }, true)}
          onLeave={onLeave}
        />
      </span>
    </div>
  );
}
