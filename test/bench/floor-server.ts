// The floor of a route: the same app with the same plugins (token, correlation id, validation, body parsing) in a process of
// its own, where the handlers named on stdin answer a constant. Started by http.bench.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Agent } from '../../server/agent.ts';
import { jsonBody } from '../../server/http/base/routing.ts';
import { loadConfig } from '../../server/platform/config/config.ts';
import { createLogger } from '../../server/platform/observe/logger.ts';

export interface ConstantAnswer {
  readonly method: string;
  /** The route's pattern, e.g. `/v1/workspaces/:workspaceId/fs/file`. */
  readonly url: string;
  readonly status: number;
  readonly body: string;
}

const answers = JSON.parse(await text(process.stdin)) as readonly ConstantAnswer[];
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'mooring-bench-floor-'));
const loaded = loadConfig({
  flags: { dataDir, listen: '127.0.0.1:0', ui: false, logLevel: 'error' },
});
if (!loaded.ok) throw new Error(JSON.stringify(loaded));
const agent = new Agent(loaded.config, {
  logger: createLogger({ level: 'error' }),
  onRoute(route) {
    const answer = answers.find(({ method, url }) => route.method === method && route.url === url);
    if (answer === undefined) return;
    // As the agent sends it: a short text together with the headers, a long one as one constant Buffer.
    const body = jsonBody(answer.body);
    const unchanged = (payload: unknown) => payload as string;
    route.handler = (_request, reply) => {
      reply.code(answer.status).header('content-type', 'application/json');
      if (typeof body === 'string') reply.serializer(unchanged).send(body);
      else reply.send(body);
    };
  },
});
const { url } = await agent.start();
console.log(JSON.stringify({ url, pid: process.pid, ownerTokenFile: agent.ownerTokenFile }));
process.once('SIGTERM', () => {
  void agent.stop().then(() => {
    rmSync(dataDir, { recursive: true, force: true });
    process.exit(0);
  });
});
