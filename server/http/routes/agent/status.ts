// GET /v1/agent/status, settings and clients: the agent with its workspaces and mirrors, its settings (only flags, variables and
// `config.json` change them), and its active clients with their request counts.
import { AgentClients, AgentSettings, AgentStatus } from '../../../contract/agent.ts';
import type { ClientUses } from '../../base/client-uses.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { clientMinutes, clientsListedMax } from '../../base/limits.ts';
import { route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { retention } from '../../wire/history.ts';
import { wireTime, workspace } from '../../wire/records.ts';
import { remoteWire } from '../../wire/remotes.ts';

export function registerStatus(app: App, dependencies: HttpDependencies): void {
  const { workspaces, mirrors, remotes, maintenance, clock, config, version } = dependencies;
  const startedAtMs = clock.nowMs();
  app.get(
    '/v1/agent/status',
    route('owner', {
      operationId: 'getAgentStatus',
      tag: 'Agent',
      summary: 'Get the status of the agent',
      points: ['Version, address, workspaces and mirrors with their states, and the retention of history.'],
      answers: { 200: jsonAnswer(AgentStatus, 'The status.') },
    }),
    async (request, reply) => {
      const [epoch, lastRevision, rows, mirrorList, remoteList, kept] = await Promise.all([
        maintenance.epoch(),
        maintenance.lastRevision(),
        workspaces.list(),
        mirrors.list(),
        remotes.list(),
        retention(dependencies),
      ]);
      return sendJson(reply, AgentStatus, 200, {
        version,
        pid: process.pid,
        startedAt: wireTime(startedAtMs),
        url: `http://${request.headers.host}`,
        dataDir: config.dataDir,
        epoch,
        lastRevision: `rev_${lastRevision}`,
        retention: kept,
        workspaces: rows.map(workspace),
        mirrors: [...mirrorList],
        remotes: remoteList.map(remoteWire),
      });
    },
  );
}

export function registerSettings(app: App, { maintenance }: HttpDependencies): void {
  app.get(
    '/v1/agent/settings',
    route('owner', {
      operationId: 'getAgentSettings',
      tag: 'Agent',
      summary: 'List the settings',
      points: [
        'The values of the running agent, with the flag and the variable of each. No value is a secret.',
      ],
      answers: { 200: jsonAnswer(AgentSettings, 'The settings.') },
    }),
    async (_request, reply) => sendJson(reply, AgentSettings, 200, maintenance.settings()),
  );
}

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
