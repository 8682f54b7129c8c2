// A webhook as a provider would send it, so that a person sees one arrive. It writes one small file and nothing else.
import type { MooringClient } from '../../sdk/index.ts';

const provider = 'mooring-test';
export const testWebhookPath = `/${provider}/hello.md`;

/** Resolves when it is durable, with words that stand in the file once it was applied. */
export async function sendTestWebhook(client: MooringClient, workspaceId: string): Promise<string> {
  const sentAt = new Date().toISOString();
  const text = `A test webhook, sent ${sentAt}.`;
  await client.sync.ingestWebhook(workspaceId, {
    provider,
    event_type: 'file.updated',
    path: testWebhookPath,
    timestamp: sentAt,
    data: { content: `# Hello\n\n${text}\n`, contentType: 'text/markdown' },
  });
  return text;
}
