// Sends a test webhook, which writes one small file.
import type { MooringClient } from '../../sdk/index.ts';

const provider = 'mooring-test';
export const testWebhookPath = `/${provider}/hello.md`;

/** Resolves when the event is durable, with a text that the file contains once the event is applied. */
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
