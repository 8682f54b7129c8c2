// Rows of the store's port about workspaces and the tokens for them.

export interface WorkspaceRow {
  readonly workspaceId: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly deletedAtMs: number | null;
  readonly files: number;
}

export interface TokenRow {
  readonly tokenId: string;
  readonly workspaceId: string;
  readonly agent: string;
  readonly scopes: readonly string[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly revokedAtMs: number | null;
  readonly deletesPerMinute: number | null;
  /** Rounded to the minute; null: never used. */
  readonly lastUsedAtMs: number | null;
}
