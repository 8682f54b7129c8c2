// Workspaces and the tokens for them: their reads and commands.
import type { TokenStore, WorkspaceStore } from '../port/store.ts';
import { getToken, listTokens, revokedTokenIds } from '../tables/workspaces/tokens.ts';
import { getWorkspace, listWorkspaces } from '../tables/workspaces/workspaces.ts';
import type { StoreDeps } from '../writer/store-parts.ts';
import { readers, senders } from './port-methods.ts';

export function workspaceStore(deps: StoreDeps): WorkspaceStore {
  return {
    ...senders(deps, {
      create: 'create_workspace',
      rename: 'rename_workspace',
      setDeleted: 'set_workspace_deleted',
    }),
    ...readers(deps, 'workspaces', { get: getWorkspace, list: listWorkspaces }),
  };
}

export function tokenStore(deps: StoreDeps): TokenStore {
  return {
    ...senders(deps, { insert: 'insert_token', revoke: 'revoke_token', noteUse: 'note_token_use' }),
    ...readers(deps, 'tokens', { get: getToken, list: listTokens, revokedIds: revokedTokenIds }),
  };
}
