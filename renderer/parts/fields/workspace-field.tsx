// The field of a form that chooses a workspace.
import type { ReactElement } from 'react';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { SelectField } from './choice-menu.tsx';

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
    <SelectField
      label="Workspace"
      hint={hint}
      value={value}
      options={workspaces.map((each) => ({ value: each.workspaceId, text: each.name }))}
      onChange={onChange}
    />
  );
}
