// GET /v1/agent/status, settings and clients: the agent with its workspaces and mirrors, its settings (PATCH writes
// `config.json`, which is read at the start), and its active clients with their request counts.
import { AgentClients, AgentSettings, AgentSettingsBody, AgentStatus } from '../../../contract/agent.ts';
import type { LostTail, Member } from '../../../workspaces/model.ts';
import { correlationIdOf, refusingAs } from '../../base/api-error.ts';
import type { ClientUses } from '../../base/client-uses.ts';
import { type HttpDependencies, SettingsRefusedError, SettingValueError } from '../../base/dependencies.ts';
import { clientMinutes, clientsListedMax } from '../../base/limits.ts';
import { commandRoute, route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { callerOf } from '../../plugins/auth.ts';
import { signedInUser } from '../../request/hub-users.ts';
import { retention } from '../../wire/history.ts';
import { wireTime, workspace } from '../../wire/records.ts';
import { remoteWire } from '../../wire/remotes.ts';

export function registerStatus(app: App, dependencies: HttpDependencies): void {
  const { workspaces, users, mirrors, remotes, maintenance, clock, config, version } = dependencies;
  const startedAtMs = clock.nowMs();
  app.get(
    '/v1/agent/status',
    route(
      { kind: 'owner', users: true },
      {
        operationId: 'getAgentStatus',
        tag: 'Agent',
        summary: 'Get the status of the agent',
        points: [
          'Version, address, workspaces and mirrors with their states, and the retention of history.',
          'A user is shown the workspaces in which the user has a role, and nothing of the machine.',
        ],
        answers: { 200: jsonAnswer(AgentStatus, 'The status.') },
      },
    ),
    async (request, reply) => {
      const [epoch, lastRevision, rows, mirrorList, remoteList, kept, members, lostTails] = await Promise.all(
        [
          maintenance.epoch(),
          maintenance.lastRevision(),
          workspaces.list(),
          mirrors.list(),
          remotes.list(),
          retention(dependencies),
          maintenance.members(),
          maintenance.lostTails(),
        ],
      );
      const user = signedInUser(request);
      const shown = rows.filter(
        ({ workspaceId }) => user === null || users?.directory.roleOf(user, workspaceId) != null,
      );
      return sendJson(reply, AgentStatus, 200, {
        version,
        pid: user === null ? process.pid : 0,
        startedAt: wireTime(startedAtMs),
        url: `http://${request.headers.host}`,
        dataDir: user === null ? config.dataDir : '',
        epoch,
        lastRevision: `rev_${lastRevision}`,
        retention: kept,
        features: [...maintenance.features],
        ...(members === null || user !== null ? {} : { members: members.map(memberWire) }),
        ...(lostTails.length === 0 ? {} : { lostTails: lostTails.map(lostTailWire) }),
        workspaces: shown.map(workspace),
        mirrors: [...mirrorList],
        remotes: remoteList.map(remoteWire),
      });
    },
  );
}

function memberWire({ id, version, startedAtMs, seenAtMs, leads }: Member) {
  return { id, version, startedAt: wireTime(startedAtMs), seenAt: wireTime(seenAtMs), leads };
}

function lostTailWire({ atMs, lastEvent, seenEvent }: LostTail) {
  return { at: wireTime(atMs), lastEvent: `evt_${lastEvent}`, seenEvent: `evt_${seenEvent}` };
}

export function registerSettings(app: App, { maintenance, log }: HttpDependencies): void {
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
    async (_request, reply) => sendJson(reply, AgentSettings, 200, await maintenance.settings()),
  );
  registerChangeSettings(app, { maintenance, log });
}

function registerChangeSettings(
  app: App,
  { maintenance, log }: Pick<HttpDependencies, 'maintenance' | 'log'>,
): void {
  app.patch(
    '/v1/agent/settings',
    commandRoute('owner', {
      operationId: 'changeAgentSettings',
      tag: 'Agent',
      summary: 'Change settings',
      points: [
        'Writes limits, retention and the log level to `config.json`, all or none. Other keys of the file stay.',
        'The agent reads the file at its start: `nextValue` is the value after a restart. A flag or variable wins over the file.',
        'An invalid file, or one that is no longer of `version`: `invalid_state`. Settings that decide who reaches the agent are refused.',
        'The log names the caller and the changed settings.',
      ],
      body: AgentSettingsBody,
      answers: { 200: jsonAnswer(AgentSettings, 'The settings.') },
      errors: ['invalid_state'],
    }),
    async (request, reply) => {
      const changed = await maintenance
        .changeSettings(request.body)
        .catch(refusingAs([SettingValueError, 'bad_request'], [SettingsRefusedError, 'invalid_state']));
      const { token } = callerOf(request);
      const names = Object.keys(request.body.settings);
      const by = { agent: token.agent, tokenId: token.tokenId, correlationId: correlationIdOf(request) };
      log.info({ settings: names, ...by }, 'settings were changed');
      return sendJson(reply, AgentSettings, 200, changed);
    },
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
