// GET /v1/agent/clients: active clients with their request counts.
import { AgentClients } from '../../../contract/agent.ts';
import type { ClientUses } from '../../base/client-uses.ts';
import { clientMinutes, clientsListedMax } from '../../base/limits.ts';
import { route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { wireTime } from '../../wire/records.ts';

export function registerClients(app: App, uses: ClientUses): void {
  app.get(
    '/v1/agent/clients',
    route('owner', {
      operationId: 'listClientsAtWork',
      tag: 'Agent',
      summary: 'List active clients',
      points: [
        'Each token with a request in the last ten minutes or an open stream: its number of requests and writes, and its last activity. Requests themselves are not recorded.',
        'Programs that share a token are one client. Counting restarts with the agent.',
      ],
      answers: { 200: jsonAnswer(AgentClients, 'The clients, the most recently active first.') },
    }),
    async (_request, reply) => {
      const clients = uses.list();
      return sendJson(reply, AgentClients, 200, {
        minutes: clientMinutes,
        total: clients.length,
        clients: clients.slice(0, clientsListedMax).map(({ caller: { token }, lastAtMs, ...counted }) => ({
          name: token.agent,
          ...(token.tokenId === null ? {} : { tokenId: token.tokenId }),
          ...(token.owner ? {} : { workspaceId: token.workspaceId }),
          owner: token.owner,
          requests: counted.requests,
          writes: counted.writes,
          requestsPerMinute: counted.requestsLastMinute,
          streams: counted.streams,
          lastActiveAt: wireTime(lastAtMs),
        })),
      });
    },
  );
}
