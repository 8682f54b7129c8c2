// W/providers: manages the providers of a workspace. Owner or UI token only; secrets are never returned.

import { ProviderParams } from '../../../contract/parameters.ts';
import {
  Provider,
  ProviderCreateBody,
  ProviderList,
  ProviderRemoved,
  ProviderTest,
  ProviderUpdateBody,
} from '../../../contract/providers.ts';
import { ProviderRefusedError, ProviderTakenError } from '../../../outbound/providers/registry.ts';
import { shareFiles } from '../../../remotes/port.ts';
import { ApiError, correlationIdOf, refusingAs } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandRoute, route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { provider as wireProvider, sender as wireSender } from '../../wire/operations.ts';

const url = '/v1/workspaces/:workspaceId/providers';
const refuse = refusingAs([ProviderRefusedError, 'bad_request'], [ProviderTakenError, 'invalid_state']);

export function registerProviders(app: App, dependencies: HttpDependencies): void {
  registerListProviders(app, dependencies);
  registerGetProvider(app, dependencies);
  registerAddProvider(app, dependencies);
  registerUpdateProvider(app, dependencies);
  registerRemoveProvider(app, dependencies);
  registerPauses(app, dependencies);
  registerTestProvider(app, dependencies);
}

function registerListProviders(app: App, { providerStatuses }: HttpDependencies): void {
  app.get(
    url,
    route('owner-workspace', {
      operationId: 'listProviders',
      tag: 'Providers',
      summary: 'List providers of a workspace',
      points: [
        'Each with its pending operations, its state and the reason.',
        'Senders of inbound events that are not registered are listed separately.',
      ],
      answers: { 200: jsonAnswer(ProviderList, 'The providers.') },
    }),
    async (request, reply) => {
      const { workspaceId } = request.params;
      const [statuses, senders] = await Promise.all([
        providerStatuses.list(workspaceId),
        providerStatuses.senders(workspaceId),
      ]);
      return sendJson(reply, ProviderList, 200, {
        providers: statuses.map(wireProvider),
        senders: senders.map(wireSender),
      });
    },
  );
}

function registerGetProvider(app: App, { providerStatuses }: HttpDependencies): void {
  app.get(
    `${url}/:provider`,
    route('owner-workspace', {
      operationId: 'getProvider',
      tag: 'Providers',
      summary: 'Get one provider',
      params: ProviderParams,
      answers: { 200: jsonAnswer(Provider, 'The provider.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, provider } = request.params;
      const status = await providerStatuses.get(workspaceId, provider);
      if (status === null) throw providerNotFound(provider);
      return sendJson(reply, Provider, 200, wireProvider(status));
    },
  );
}

function registerAddProvider(app: App, { providers, providerStatuses, remotes }: HttpDependencies): void {
  app.post(
    url,
    commandRoute('owner-workspace', {
      operationId: 'addProvider',
      tag: 'Providers',
      summary: 'Register a provider',
      points: [
        'Later changes below `/<provider>/` make operations that wait for it.',
        '`external`: a consumer lists the pending operations and acknowledges them.',
        '`http`: each operation is POSTed to `url`, signed with `secret` by the Standard Webhooks specification. Its idempotency key (`webhook-id`) is equal in all attempts.',
        '`sync/refresh` pulls the `refreshUrl`.',
        'Only https and public addresses are called, unless allowed here.',
        'A registered name, or a remote that syncs its files: `invalid_state`.',
        'Finished operations are not reopened.',
      ],
      body: ProviderCreateBody,
      answers: { 201: jsonAnswer(Provider, 'The provider; its secret is never returned.') },
      errors: ['invalid_state'],
    }),
    async (request, reply) => {
      const { workspaceId } = request.params;
      const { provider: name, ...settings } = request.body;
      if (!name.isWellFormed())
        throw new ApiError('bad_request', 'invalid provider: the name is not well-formed');
      const holds = `/${name.toLowerCase()}`;
      for (const { path, url: server } of await remotes.list(workspaceId))
        if (shareFiles(path, holds))
          throw new ApiError(
            'invalid_state',
            `a remote syncs ${path} with ${server}, whose providers do the writeback: register the provider there, or remove the remote`,
          );
      const row = await providers.add(workspaceId, { name, ...settings }).catch(refuse);
      const status = await providerStatuses.get(workspaceId, row.name);
      if (status === null) throw providerNotFound(row.name);
      return sendJson(reply, Provider, 201, wireProvider(status));
    },
  );
}

function registerUpdateProvider(app: App, { providers, providerStatuses }: HttpDependencies): void {
  app.patch(
    `${url}/:provider`,
    commandRoute('owner-workspace', {
      operationId: 'updateProvider',
      tag: 'Providers',
      summary: 'Update a provider',
      points: ['Omitted members keep their values.', 'Pending operations are retried immediately.'],
      params: ProviderParams,
      body: ProviderUpdateBody,
      answers: { 200: jsonAnswer(Provider, 'The provider.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, provider } = request.params;
      const changed = await providers.update(workspaceId, provider, request.body).catch(refuse);
      const status = changed === null ? null : await providerStatuses.get(workspaceId, changed.name);
      if (status === null) throw providerNotFound(provider);
      return sendJson(reply, Provider, 200, wireProvider(status));
    },
  );
}

function registerRemoveProvider(app: App, { providers }: HttpDependencies): void {
  app.delete(
    `${url}/:provider`,
    commandRoute('owner-workspace', {
      operationId: 'removeProvider',
      tag: 'Providers',
      summary: 'Remove a provider',
      points: ['Its pending operations become `canceled`; files and dead-lettered operations remain.'],
      params: ProviderParams,
      answers: { 200: jsonAnswer(ProviderRemoved, 'The provider is removed.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, provider } = request.params;
      const removed = await providers.remove(workspaceId, provider, correlationIdOf(request));
      if (removed === null) throw providerNotFound(provider);
      return sendJson(reply, ProviderRemoved, 200, {
        provider: provider.toLowerCase(),
        canceled: removed.canceled,
      });
    },
  );
}

function registerPauses(app: App, { providers, providerStatuses }: HttpDependencies): void {
  for (const { path, paused, ...texts } of [
    {
      path: `${url}/:provider/pause`,
      paused: true,
      operationId: 'pauseProvider',
      summary: 'Pause sending to a provider',
      points: ['Operations wait until it is resumed, also after a restart.'],
    },
    {
      path: `${url}/:provider/resume`,
      paused: false,
      operationId: 'resumeProvider',
      summary: 'Resume sending to a provider',
      points: ['Pending operations are sent immediately.'],
    },
  ]) {
    app.post(
      path,
      commandRoute('owner-workspace', {
        ...texts,
        tag: 'Providers',
        params: ProviderParams,
        answers: { 200: jsonAnswer(Provider, 'The provider.') },
        errors: ['not_found'],
      }),
      async (request, reply) => {
        const { workspaceId, provider } = request.params;
        const changed = await providers.setPaused(workspaceId, provider, paused);
        const status = changed === null ? null : await providerStatuses.get(workspaceId, changed.name);
        if (status === null) throw providerNotFound(provider);
        return sendJson(reply, Provider, 200, wireProvider(status));
      },
    );
  }
}

function registerTestProvider(app: App, { providers }: HttpDependencies): void {
  app.post(
    `${url}/:provider/test`,
    commandRoute('owner-workspace', {
      operationId: 'testProvider',
      tag: 'Providers',
      summary: 'Send a test message to a provider',
      points: ['Sends a signed message of type `mooring.test` without data, and returns the result.'],
      params: ProviderParams,
      answers: { 200: jsonAnswer(ProviderTest, 'The result of the call.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, provider } = request.params;
      const result = await providers.test(workspaceId, provider);
      if (result === null) throw providerNotFound(provider);
      const { ok, httpStatus, tookMs, message } = result;
      return sendJson(reply, ProviderTest, 200, {
        ok,
        ...(httpStatus === null ? {} : { httpStatus }),
        tookMs,
        message,
      });
    },
  );
}

function providerNotFound(name: string): ApiError {
  return new ApiError('not_found', `provider ${name.toLowerCase()} is not registered in this workspace`);
}
