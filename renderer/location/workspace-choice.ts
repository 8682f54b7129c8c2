// The workspace of screens that show one: the one in the address, else the last one used in this browser, else the first.
import { useSearch } from 'wouter';
import type { Workspace } from '../../server/contract/workspaces.ts';

const storageKey = 'mooring.workspace';

export function rememberWorkspace(workspaceId: string): void {
  localStorage.setItem(storageKey, workspaceId);
}

/** null: none exists. `missing`: the id in the address, when no such workspace exists. */
export function useChosenWorkspace(workspaces: readonly Workspace[]): {
  readonly workspace: Workspace | null;
  readonly missing: string | null;
} {
  const named = new URLSearchParams(useSearch()).get('workspace');
  const find = (id: string | null): Workspace | undefined =>
    workspaces.find((workspace) => workspace.workspaceId === id);
  if (named !== null) {
    const workspace = find(named) ?? null;
    return { workspace, missing: workspace === null ? named : null };
  }
  return { workspace: find(localStorage.getItem(storageKey)) ?? workspaces[0] ?? null, missing: null };
}
