// The field of a form that chooses a workspace.
import type { ReactElement } from 'react';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { Field } from './field.tsx';

export function WorkspaceField({
  workspaces,
  value,
  hint,
  onChange,
}: {
  readonly workspaces: readonly Pick<Workspace, 'workspaceId' | 'name'>[];
  readonly value: string;
  readonly hint: string;
  readonly onChange: (workspaceId: string) => void;
}): ReactElement {
  return (
    <Field label="Workspace" hint={hint}>
      {(wiring) => (
        <select
          {...wiring}
          className="input"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {workspaces.map((each) => (
            <option key={each.workspaceId} value={each.workspaceId}>
              {each.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
