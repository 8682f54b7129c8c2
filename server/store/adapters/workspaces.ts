// Workspaces and the tokens for them: each method is a named read on the calling thread's connection, or sends a command.
import type { TokenStore, WorkspaceStore } from '../port/store.ts';
import { getToken, listTokens, revokedTokenIds } from '../tables/workspaces/tokens.ts';
import { getWorkspace, listWorkspaces } from '../tables/workspaces/workspaces.ts';
import type { StoreDeps } from '../writer/store-parts.ts';
import { senders } from './senders.ts';

export function workspaceStore(deps: StoreDeps): WorkspaceStore {
  const { read } = deps;
  return {
    ...senders(deps, {
      create: 'create_workspace',
      rename: 'rename_workspace',
      setDeleted: 'set_workspace_deleted',
    }),
    get: (workspaceId) => read('workspaces.get', (statements) => getWorkspace(statements, workspaceId)),
    list: ({ includeDeleted }) =>
      read('workspaces.list', (statements) => listWorkspaces(statements, includeDeleted)),
  };
}

export function tokenStore(deps: StoreDeps): TokenStore {
  const { read } = deps;
  return {
    ...senders(deps, { insert: 'insert_token', revoke: 'revoke_token', noteUse: 'note_token_use' }),
    get: (tokenId) => read('tokens.get', (statements) => getToken(statements, tokenId)),
    list: (workspaceId) => read('tokens.list', (statements) => listTokens(statements, workspaceId)),
    revokedIds: (nowMs) => read('tokens.revokedIds', (statements) => revokedTokenIds(statements, nowMs)),
  };
}
