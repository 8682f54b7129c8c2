// Where a workspace's calls go.

export function workspaceRoute(workspaceId: string, rest: string): string {
  return `/v1/workspaces/${encodeURIComponent(workspaceId)}/${rest}`;
}
