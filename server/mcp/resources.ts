// The resources of a workspace: each file by its URI, and two views. URIs name the workspace. A refused URI and one that does not exist get the
// same answer.
import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { isRefusal } from './events-after.ts';
import { readBytesMax } from './limits.ts';
import type { ToolCall } from './session.ts';
import { loadFile } from './text-file.ts';
import { status } from './tools/status.ts';

export const fileTemplate = 'mooring://{workspace}/files/{+path}';
export const viewTemplate = 'mooring://{workspace}/{view}';
export const views = ['status', 'changes'] as const;

const recentChangesMax = 50;

export interface ResourceContent {
  readonly uri: string;
  readonly mimeType: string;
  readonly text?: string;
  readonly blob?: string;
}

export function fileUri(workspaceId: string, path: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return `mooring://${encodeURIComponent(workspaceId)}/files${encoded}`;
}

/** Content of at most `readBytesMax`. */
export async function readFileResource(call: ToolCall, uri: string): Promise<ResourceContent> {
  const path = pathOf(uri, call.session.workspaceId);
  if (path === null) throw new ResourceNotFoundError(uri);
  const file = await loadFile(call, path).catch((error: unknown) => {
    throw isRefusal(error) ? new ResourceNotFoundError(uri) : error;
  });
  if (file.size > readBytesMax) throw new ResourceNotFoundError(uri, 'the file is too large for a resource');
  return file.text === null
    ? { uri, mimeType: 'application/octet-stream', blob: file.bytes.toString('base64') }
    : { uri, mimeType: 'text/plain', text: file.text };
}

/** null: not the canonical URI of a path in this workspace, so a dot segment or another spelling names nothing. */
function pathOf(uri: string, workspaceId: string): string | null {
  const start = `mooring://${encodeURIComponent(workspaceId)}/files/`;
  if (!uri.startsWith(start)) return null;
  try {
    const path = `/${uri.slice(start.length).split('/').map(decodeURIComponent).join('/')}`;
    const segments = path.slice(1).split('/');
    const isPlain = segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..');
    return isPlain && !path.includes('\0') && fileUri(workspaceId, path) === encodedUpper(uri) ? path : null;
  } catch {
    return null;
  }
}

/** Clients differ in which characters they encode, so both are compared in one form. */
function encodedUpper(uri: string): string {
  const [scheme = '', rest = ''] = uri.split('://');
  return `${scheme}://${rest
    .split('/')
    .map((segment) => encodeURIComponent(decodeURIComponent(segment)))
    .join('/')}`;
}

export async function readView(call: ToolCall, uri: string, view: string): Promise<ResourceContent> {
  const { workspaceId, roots } = call.session;
  const isView = views.some((name) => name === view);
  if (!isView || uri !== `mooring://${encodeURIComponent(workspaceId)}/${view}`)
    throw new ResourceNotFoundError(uri);
  const value = view === 'status' ? await status.run({} as never, call) : await recentChanges(call, roots);
  return { uri, mimeType: 'application/json', text: JSON.stringify(value) };
}

async function recentChanges({ client, session, signal }: ToolCall, roots: readonly string[]) {
  const pages = await Promise.all(
    roots.map((path) =>
      client.events.page(session.workspaceId, {
        path,
        direction: 'desc',
        limit: recentChangesMax,
        signal,
      }),
    ),
  );
  const changes = pages
    .flatMap(({ events }) => events)
    .filter(({ type }) => type.startsWith('file.'))
    .sort((left, right) => right.timestamp.localeCompare(left.timestamp))
    .slice(0, recentChangesMax)
    .map(({ path, type, revision, timestamp }) => ({ path, type, revision, at: timestamp }));
  return { changes };
}
