// A real MCP client over HTTP, in one of the two eras of the protocol, and short forms of its calls.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { HttpAgent } from '../support/http-agent.ts';

export const eras = ['2026-07-28', 'legacy'] as const;
export type Era = (typeof eras)[number];

function clientOf(era: Era): Client {
  return new Client(
    { name: 'test-client', version: '1' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: era } } },
  );
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose schema the client has checked
type Answer = any;

export async function connect(
  agent: HttpAgent,
  token: string,
  era: Era = '2026-07-28',
  url = '/mcp',
): Promise<Client> {
  const client = clientOf(era);
  const transport = new StreamableHTTPClientTransport(new URL(url, agent.url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** The result of a successful call, which is whole in both of its forms. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args });
  const text = textOf(result);
  if (result.isError === true) throw new Error(text);
  const structured = JSON.stringify(result.structuredContent);
  if (structured !== text) throw new Error('the text differs from the structured content');
  return result.structuredContent;
}

/** The parsed error of a refused call. */
export async function refusal(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError !== true) throw new Error(`not refused: ${textOf(result)}`);
  if (result.structuredContent !== undefined) throw new Error('an error has structured content');
  const text = textOf(result);
  return text.startsWith('{') ? JSON.parse(text) : { code: 'arguments', message: text };
}

function textOf(result: { readonly content?: unknown }): string {
  const [first] = (result.content ?? []) as { readonly text?: string }[];
  return first?.text ?? '';
}
