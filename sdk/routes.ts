// Routes of a workspace's calls.

/** `rest` without a leading slash. Absent: the workspace itself. */
export function workspaceRoute(workspaceId: string, rest?: string): string {
  const workspace = `/v1/workspaces/${encodeURIComponent(workspaceId)}`;
  return rest === undefined ? workspace : `${workspace}/${rest}`;
}
