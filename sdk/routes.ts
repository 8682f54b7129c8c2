// Where a workspace's calls go.

/** `rest` without a slash before it; absent: the workspace itself. */
export function workspaceRoute(workspaceId: string, rest?: string): string {
  const workspace = `/v1/workspaces/${encodeURIComponent(workspaceId)}`;
  return rest === undefined ? workspace : `${workspace}/${rest}`;
}
