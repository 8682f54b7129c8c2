// What one caller of the MCP server works with: a client of the v1 API with the caller's token, its workspace, and what the token may do.
import type { MooringClient } from '../../sdk/index.ts';

/** The rights of a connected caller. */
export interface OpenSession {
  readonly workspaceId: string;
  /** Paths that the token may list; `/` for everything. */
  readonly roots: readonly string[];
  readonly canWrite: boolean;
  readonly tag: string;
}

export interface McpSession {
  /** false: writing tools are not offered. The API refuses them as well. */
  readonly canWrite: boolean;
  /** Marks the caller's own changes: a part of each of its correlation ids. */
  readonly tag: string;
  /** Each request of the client has this correlation id. Rejects with a ToolError when no agent is running. */
  connect(
    correlationId: string,
    clientName: string,
  ): Promise<{ client: MooringClient; session: OpenSession }>;
}

/** One tool call: every request of it has one correlation id. */
export interface ToolCall {
  readonly session: OpenSession;
  readonly client: MooringClient;
  readonly signal: AbortSignal;
  /** The fork of the run that the call works in. Absent: the workspace itself. */
  readonly forkId?: string;
}
