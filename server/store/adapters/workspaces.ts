// The parts of the port about workspaces and the tokens for them: each method is a named read on the calling thread's connection
// or a command to the writer, as in the other *-stores.ts.

import type { TokenStore, WorkspaceStore } from '../port/store.ts';
import { getToken, listTokens, revokedTokenIds } from '../tables/workspaces/tokens.ts';
import { getWorkspace, listWorkspaces } from '../tables/workspaces/workspaces.ts';
import type { StoreParts } from '../writer/store-parts.ts';

export function workspaceStore({ read, send }: StoreParts): WorkspaceStore {
  return {
    create: (row) => send('create_workspace', row),
    get: (workspaceId) => read('workspaces.get', (statements) => getWorkspace(statements, workspaceId)),
    list: ({ includeDeleted }) =>
      read('workspaces.list', (statements) => listWorkspaces(statements, includeDeleted)),
    rename: (workspaceId, name) => send('rename_workspace', { workspaceId, name }),
    setDeleted: (workspaceId, deletedAtMs) => send('set_workspace_deleted', { workspaceId, deletedAtMs }),
  };
}

export function tokenStore({ read, send }: StoreParts): TokenStore {
  return {
    insert: async (row) => void (await send('insert_token', { row })),
    get: (tokenId) => read('tokens.get', (statements) => getToken(statements, tokenId)),
    list: (workspaceId) => read('tokens.list', (statements) => listTokens(statements, workspaceId)),
    revoke: (workspaceId, tokenId, atMs) => send('revoke_token', { workspaceId, tokenId, atMs }),
    noteUse: async (tokenId, atMs) => void (await send('note_token_use', { tokenId, atMs })),
    revokedIds: (nowMs) => read('tokens.revokedIds', (statements) => revokedTokenIds(statements, nowMs)),
  };
}
