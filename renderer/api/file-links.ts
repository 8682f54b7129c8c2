// What can be copied of a file to use elsewhere: its address in this UI, and the command that reads it. A token is never part of them.
import { filesHref } from '../location/app-location.ts';
import { agentUrl } from './desktop.ts';

export function fileLink(workspaceId: string, path: string, kind: 'file' | 'dir'): string {
  return `${agentUrl()}/#${filesHref(workspaceId, path, kind).slice(1)}`;
}

export function fileCurl(workspaceId: string, path: string): string {
  return `curl -s '${agentUrl()}/v1/workspaces/${workspaceId}/fs/file?path=${encodeURIComponent(path)}' -H "Authorization: Bearer $MOORING_TOKEN" -H 'X-Correlation-Id: read-1'`;
}
