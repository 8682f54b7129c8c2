// Who is signed in, what the viewer may do, and what this server has: what the UI offers follows from both. It refuses nothing: the
// server does.
import type { AgentStatus } from '../../server/contract/agent.ts';
import type { CurrentUser, UserRole } from '../../server/contract/users.ts';
import { useDisabledReason, useLink } from './services.ts';

export type Feature = AgentStatus['features'][number];

/** null: not known yet. */
export function useViewer(): CurrentUser | null {
  return useLink().viewer;
}

/** Has the viewer the rights of the owner token? false while that is not known. */
export function useIsOwner(): boolean {
  return useViewer()?.owner === true;
}

/** The role of the viewer; the owner is an owner of each workspace. null: none, or not known. */
export function roleIn(viewer: CurrentUser | null, workspaceId: string): UserRole | null {
  if (viewer === null) return null;
  if (viewer.owner) return 'owner';
  return viewer.roles.find((role) => role.workspaceId === workspaceId)?.role ?? null;
}

/** Why an action in a workspace is disabled: the agent does not respond, or the role of the viewer does not include it. null: enabled. */
export function useRoleReason(workspaceId: string, least: UserRole): string | null {
  const offline = useDisabledReason();
  const role = roleIn(useViewer(), workspaceId);
  if (offline !== null || role === null || fromLeast.indexOf(role) >= fromLeast.indexOf(least))
    return offline;
  return `Your role in this workspace is ${role}. This needs the role ${least}.`;
}

const fromLeast: readonly UserRole[] = ['reader', 'editor', 'owner'];
