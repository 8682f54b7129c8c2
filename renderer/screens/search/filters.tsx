// The filters of Search: what is searched, workspace, time of the last change, folder, glob, case.
import type { ReactElement } from 'react';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { type Changed, isDay, type SearchForm } from '../../model/search/search-form.ts';
import { Segments } from '../../parts/buttons/segments.tsx';
import { FilterMenu } from '../../parts/fields/choice-menu.tsx';
import { FilterField } from '../../parts/fields/filter-field.tsx';

const kinds = [
  { value: 'all', text: 'All' },
  { value: 'names', text: 'Names' },
  { value: 'words', text: 'Words' },
  { value: 'exact', text: 'Exact text' },
  { value: 'regex', text: 'Regex' },
] as const;

const changedTexts: readonly { readonly value: Changed; readonly text: string }[] = [
  { value: 'any', text: 'any time' },
  { value: 'hour', text: 'last hour' },
  { value: 'day', text: 'last 24 hours' },
  { value: 'week', text: 'last 7 days' },
  { value: 'month', text: 'last 30 days' },
];

const allWorkspaces = 'all';

export function SearchFilters({
  form,
  workspaces,
  onChange,
}: {
  readonly form: SearchForm;
  readonly workspaces: readonly Workspace[];
  readonly onChange: (change: Partial<SearchForm>) => void;
}): ReactElement {
  const inWorkspaces = [
    { value: allWorkspaces, text: 'all' },
    ...workspaces.map(({ workspaceId, name }) => ({ value: workspaceId, text: name })),
  ];
  return (
    <search className="work-filters search-filters">
      <Segments label="Search in" options={kinds} value={form.kind} onChange={(kind) => onChange({ kind })} />
      <FilterMenu
        label="Workspace"
        value={form.workspaceId ?? allWorkspaces}
        options={inWorkspaces}
        onChange={(value) => onChange({ workspaceId: value === allWorkspaces ? null : value })}
      />
      <FilterMenu
        label="Changed"
        value={form.changed}
        options={
          isDay(form.changed)
            ? [...changedTexts, { value: form.changed, text: `since ${form.changed}` }]
            : changedTexts
        }
        onChange={(changed) => onChange({ changed })}
      />
      <button
        type="button"
        className="chip"
        aria-pressed={form.caseSensitive}
        title="Distinguish upper and lower case in contents"
        onClick={() => onChange({ caseSensitive: !form.caseSensitive })}
      >
        Match case
      </button>
      <FilterField
        label="Folder"
        placeholder="Folder: /docs"
        icon="folder"
        value={form.folder}
        onChange={(folder) => onChange({ folder })}
        onLeave={noMove}
      />
      <FilterField
        label="Glob"
        placeholder="Glob: *.md"
        icon="filter"
        value={form.glob}
        onChange={(glob) => onChange({ glob })}
        onLeave={noMove}
      />
    </search>
  );
}

/** The fields keep the focus: another filter may follow. */
const noMove = (): void => undefined;
