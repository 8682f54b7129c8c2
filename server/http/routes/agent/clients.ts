// GET /v1/agent/clients: who is at work. Numbers of requests, nothing of what they were about.
import { AgentClients } from '../../../contract/agent.ts';
import { CorrelationHeaders } from '../../../contract/parameters.ts';
import type { ClientUses } from '../../base/client-uses.ts';
import { clientMinutes, clientsListedMax } from '../../base/limits.ts';
import { type App, bearer, commonErrors, errorAnswers, jsonAnswer, sendJson } from '../../base/routing.ts';
import { wireTime } from '../../wire/records.ts';

export function registerClients(app: App, uses: ClientUses): void {
  app.get(
    '/v1/agent/clients',
    {
      config: { access: { kind: 'owner' } },
      schema: {
        operationId: 'listClientsAtWork',
        tags: ['Agent'],
        summary: 'Which clients are at work',
        description:
          'Owner or UI token. Each token with which something was asked in the last ten minutes, or that holds a stream open: how often, how many of these were writes, and when last. What was asked is not kept. Programs that share a token are one client; after a start the count begins anew.',
        security: bearer,
        headers: CorrelationHeaders,
        response: {
          200: jsonAnswer(AgentClients, 'The clients, who was active last first.'),
          ...errorAnswers(commonErrors),
        },
      },
    },
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
