// The part of the store that keeps tokens, in memory: for tests of auth that are not about the store.
import type { TokenRow, TokenStore } from '../../server/store/port/store.ts';

export function createMemoryTokenStore(): TokenStore {
  const rows = new Map<string, TokenRow>();
  return {
    insert(row) {
      rows.set(row.tokenId, row);
      return Promise.resolve();
    },
    get: (tokenId) => Promise.resolve(rows.get(tokenId) ?? null),
    list: (workspaceId) =>
      Promise.resolve([...rows.values()].filter((row) => row.workspaceId === workspaceId)),
    revoke({ workspaceId, tokenId, atMs }) {
      const row = rows.get(tokenId);
      if (row === undefined || row.workspaceId !== workspaceId) return Promise.resolve(false);
      rows.set(tokenId, { ...row, revokedAtMs: row.revokedAtMs ?? atMs });
      return Promise.resolve(true);
    },
    noteUse({ tokenId, atMs }) {
      const row = rows.get(tokenId);
      if (row !== undefined) rows.set(tokenId, { ...row, lastUsedAtMs: atMs });
      return Promise.resolve();
    },
    revokedIds(nowMs) {
      const revoked = [...rows.values()].filter((row) => row.revokedAtMs !== null && row.expiresAtMs > nowMs);
      return Promise.resolve(revoked.map((row) => row.tokenId));
    },
  };
}
