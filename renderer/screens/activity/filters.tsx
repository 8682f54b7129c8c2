// The filters of the feed: kind, echoes, time range, path and text.
import type { ReactElement, RefObject } from 'react';
import { type ActivityKind, activityKinds, kindNames } from '../../model/inbound/activity-view.ts';
import { rangeName, type TimeRange } from '../../model/inbound/time-range.ts';
import { Icon } from '../../parts/feedback/icon.tsx';
import { FilterChips } from '../../parts/fields/filter-chips.tsx';
import { FilterField } from '../../parts/fields/filter-field.tsx';

/** Fields of the URL; '': not set. */
export interface FilterFields {
  readonly kind?: string;
  readonly echoes?: string;
  readonly path?: string;
  readonly text?: string;
  readonly range?: string;
}

interface ActivityFiltersProps {
  readonly kind: ActivityKind;
  readonly showsEchoes: boolean;
  readonly path: string;
  readonly text: string;
  readonly range: TimeRange | null;
  /** Number of loaded error events. */
  readonly errors: number;
  readonly textField: RefObject<HTMLInputElement | null>;
  /** `replace`: without a history entry of the browser. */
  readonly onChange: (fields: FilterFields, replace: boolean) => void;
  readonly onLeave: () => void;
}

export function ActivityFilters({
  kind,
  showsEchoes,
  path,
  text,
  range,
  errors,
  textField,
  onChange,
  onLeave,
}: ActivityFiltersProps): ReactElement {
  return (
    <div className="filter-bar">
      <FilterChips
        label="Kind"
        value={kind}
        options={activityKinds.map((each) => ({
          value: each,
          name: kindNames[each],
          ...(each === 'errors' ? { rowCount: errors } : {}),
        }))}
        onChange={(next: ActivityKind) => onChange({ kind: next === 'all' ? '' : next }, false)}
      />
      <span className="chips">
        <button
          type="button"
          aria-pressed={showsEchoes}
          title="Echoes and outdated events"
          onClick={() => onChange({ echoes: showsEchoes ? '' : '1' }, true)}
        >
          Echoes
        </button>
        {range === null ? null : (
          <button
            type="button"
            aria-pressed={true}
            title="Clear time range"
            onClick={() => onChange({ range: '' }, true)}
          >
            {rangeName(range)}
            <Icon of="close" small />
          </button>
        )}
      </span>
      <TextFilters path={path} text={text} textField={textField} onChange={onChange} onLeave={onLeave} />
    </div>
  );
}

function TextFilters({
  path,
  text,
  textField,
  onChange,
  onLeave,
}: Pick<ActivityFiltersProps, 'path' | 'text' | 'textField' | 'onChange' | 'onLeave'>): ReactElement {
  return (
    <span className="end row filter-fields">
      <FilterField
        label="Path (including subfolders)"
        placeholder="/path"
        icon="folder"
        value={path}
        onChange={(value) => onChange({ path: value }, true)}
        onLeave={onLeave}
      />
      <FilterField
        fieldRef={textField}
        label="Name, actor, correlation id or event id"
        placeholder="Name, actor or id"
        icon="search"
        value={text}
        onChange={(value) => onChange({ text: value }, true)}
        onLeave={onLeave}
      />
    </span>
  );
}
