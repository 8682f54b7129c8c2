// GET /v1/agent/status: the agent with its workspaces and mirrors.
import { AgentStatus } from '../../../contract/agent.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { retention } from '../../wire/history.ts';
import { wireTime, workspace } from '../../wire/records.ts';

export function registerStatus(app: App, dependencies: HttpDependencies): void {
  const { workspaces, mirrors, maintenance, clock, config, version } = dependencies;
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
      const [epoch, lastRevision, rows, mirrorList, kept] = await Promise.all([
        maintenance.epoch(),
        maintenance.lastRevision(),
        workspaces.list(),
        mirrors.list(),
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
      });
    },
  );
}
