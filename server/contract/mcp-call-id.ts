// The correlation id of a call of an MCP tool: it marks the session and names the client, as the client names itself. The name is for display only:
// the identity of a caller is its token.

/** Characters of a client's name. */
export const clientNameCharactersMax = 40;

const form = /^mcp-[0-9a-f]{8}-([A-Za-z0-9._-]{1,40})-[0-9a-f]{16}$/;

/** In characters that need no escape anywhere. Empty: it has no name. */
export function plainClientName(name: string | undefined): string {
  const plain = (name ?? '').slice(0, 10 * clientNameCharactersMax).replace(/[^A-Za-z0-9._]+/g, '-');
  return plain.slice(0, clientNameCharactersMax).replace(/^-+|-+$/g, '');
}

/** `sessionTag` has 8 hexadecimal digits, `random` 16. */
export function mcpCallId(sessionTag: string, clientName: string, random: string): string {
  return `mcp-${sessionTag}-${clientName}-${random}`;
}

/** null: not the id of such a call, or its client has no name. */
export function mcpClientOf(correlationId: string): string | null {
  return form.exec(correlationId)?.[1] ?? null;
}
