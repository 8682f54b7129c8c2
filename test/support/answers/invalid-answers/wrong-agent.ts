// The agent as it must not be: a few of its routes answer what the API does not describe. Everything else is `mooring serve`.
// Run with: DATA_DIR.
import type { RouteOptions } from 'fastify';
import { Agent } from '../../../../server/agent.ts';
import { loadConfig } from '../../../../server/platform/config/config.ts';

const loaded = loadConfig({
  flags: { dataDir: process.argv[2] ?? '', listen: '127.0.0.1:0', ui: false, logLevel: 'error' },
  environment: { platform: process.platform, env: {}, homeDir: '/nonexistent' },
});
if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));

/** By route, what it answers. */
const wrong: Readonly<Record<string, { readonly status: number; readonly body: string }>> = {
  '/health': { status: 200, body: '{"status":7}' },
  '/v1/workspaces': { status: 418, body: '{}' },
};

const agent = new Agent(loaded.config, {
  onRoute(route: RouteOptions) {
    const answer = wrong[route.url];
    if (answer === undefined) return;
    route.handler = (_request, reply) =>
      reply
        .code(answer.status)
        .header('content-type', 'application/json')
        .serializer((payload: unknown) => payload as string)
        .send(answer.body);
  },
});
const { url } = await agent.start();
process.stdout.write(`${JSON.stringify({ url, ownerTokenFile: agent.ownerTokenFile })}\n`);
