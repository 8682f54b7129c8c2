// W/providers: who carries changes of a top directory to the outside. Owner or UI token only; secrets only come in.
import { CorrelationHeaders, ProviderParams, WorkspaceParams } from '../../../contract/parameters.ts';
import {
  Provider,
  ProviderCreateBody,
  ProviderList,
  ProviderRemoved,
  ProviderTest,
  ProviderUpdateBody,
} from '../../../contract/providers.ts';
import { ProviderRefusedError, ProviderTakenError } from '../../../outbound/providers/registry.ts';
import { ApiError, correlationIdOf } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandBodyBytesMax } from '../../base/limits.ts';
import { type App, bearer, errorAnswers, jsonAnswer, sendJson, workspaceErrors } from '../../base/routing.ts';
import { provider as wireProvider, sender as wireSender } from '../../wire/operations.ts';

const url = '/v1/workspaces/:workspaceId/providers';
const access = { kind: 'owner-workspace' } as const;
const commandErrors = [...workspaceErrors, 'not_found', 'payload_too_large'] as const;

export function registerProviders(app: App, dependencies: HttpDependencies): void {
  registerListProviders(app, dependencies);
  registerGetProvider(app, dependencies);
  registerAdding(app, dependencies);
  registerUpdateProvider(app, dependencies);
  registerRemoveProvider(app, dependencies);
  registerActions(app, dependencies);
}

function registerListProviders(app: App, { providerStatuses }: HttpDependencies): void {
  app.get(
    url,
    {
      config: { access },
      schema: {
        operationId: 'listProviders',
        tags: ['Providers'],
        summary: 'List providers of a workspace',
        description:
          'Owner or UI token. With what waits for each, its state and the cause of it. Senders of webhooks that are not registered are listed apart.',
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        response: { 200: jsonAnswer(ProviderList, 'The providers.'), ...errorAnswers(workspaceErrors) },
      },
    },
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
    {
      config: { access },
      schema: {
        operationId: 'getProvider',
        tags: ['Providers'],
        summary: 'Read one provider',
        description: 'Owner or UI token.',
        security: bearer,
        params: ProviderParams,
        headers: CorrelationHeaders,
        response: {
          200: jsonAnswer(Provider, 'The provider.'),
          ...errorAnswers([...workspaceErrors, 'not_found']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, provider } = request.params;
      const status = await providerStatuses.get(workspaceId, provider);
      if (status === null) throw providerNotFound(provider);
      return sendJson(reply, Provider, 200, wireProvider(status));
    },
  );
}

function registerAdding(app: App, { providers, providerStatuses }: HttpDependencies): void {
  app.post(
    url,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access },
      schema: {
        operationId: 'addProvider',
        tags: ['Providers'],
        summary: 'Register a provider',
        description:
          'Owner or UI token. From now on changes below `/<provider>/` wait for it. `external`: a consumer lists the pending items and acknowledges them. `http`: each item is POSTed to `url`, signed after the Standard Webhooks specification with `secret`; its idempotency key (`webhook-id`) stays the same over all tries. A `refreshUrl` is pulled by `sync/refresh`. Only https and public addresses are called unless allowed here. A name that is registered already is an `invalid_state`. Older operations are not opened again.',
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        body: ProviderCreateBody,
        response: {
          201: jsonAnswer(Provider, 'The provider; its secret is never answered.'),
          ...errorAnswers([...workspaceErrors, 'invalid_state', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.params;
      const { provider: name, ...settings } = request.body;
      if (!name.isWellFormed()) throw new ApiError('bad_request', 'provider is no name');
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
    {
      bodyLimit: commandBodyBytesMax,
      config: { access },
      schema: {
        operationId: 'updateProvider',
        tags: ['Providers'],
        summary: 'Change a provider',
        description: 'Owner or UI token. What is absent stays. What waits is tried at once.',
        security: bearer,
        params: ProviderParams,
        headers: CorrelationHeaders,
        body: ProviderUpdateBody,
        response: { 200: jsonAnswer(Provider, 'The provider.'), ...errorAnswers(commandErrors) },
      },
    },
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
    {
      bodyLimit: commandBodyBytesMax,
      config: { access },
      schema: {
        operationId: 'removeProvider',
        tags: ['Providers'],
        summary: 'Remove a provider',
        description:
          'Owner or UI token. What waited for it is `canceled`; files, and what was dead-lettered, stay.',
        security: bearer,
        params: ProviderParams,
        headers: CorrelationHeaders,
        response: {
          200: jsonAnswer(ProviderRemoved, 'It is removed.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'payload_too_large']),
        },
      },
    },
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

function registerActions(app: App, { providers, providerStatuses }: HttpDependencies): void {
  for (const action of ['pause', 'resume'] as const) {
    app.post(
      `${url}/:provider/${action}`,
      {
        bodyLimit: commandBodyBytesMax,
        config: { access },
        schema: {
          operationId: `${action}Provider`,
          tags: ['Providers'],
          summary: action === 'pause' ? 'Pause sending to a provider' : 'Resume sending to a provider',
          description:
            action === 'pause'
              ? 'Owner or UI token. Items wait until it is resumed, also after a restart.'
              : 'Owner or UI token. What waits is sent at once.',
          security: bearer,
          params: ProviderParams,
          headers: CorrelationHeaders,
          response: { 200: jsonAnswer(Provider, 'The provider.'), ...errorAnswers(commandErrors) },
        },
      },
      async (request, reply) => {
        const { workspaceId, provider } = request.params;
        const changed = await providers.setPaused(workspaceId, provider, action === 'pause');
        const status = changed === null ? null : await providerStatuses.get(workspaceId, changed.name);
        if (status === null) throw providerNotFound(provider);
        return sendJson(reply, Provider, 200, wireProvider(status));
      },
    );
  }

  app.post(
    `${url}/:provider/test`,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access },
      schema: {
        operationId: 'testProvider',
        tags: ['Providers'],
        summary: 'Call a provider once',
        description:
          'Owner or UI token. Sends a signed message of the type `mooring.test` that carries nothing, and tells what came of it.',
        security: bearer,
        params: ProviderParams,
        headers: CorrelationHeaders,
        response: { 200: jsonAnswer(ProviderTest, 'What came of it.'), ...errorAnswers(commandErrors) },
      },
    },
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

function refuse(error: unknown): never {
  if (error instanceof ProviderRefusedError) throw new ApiError('bad_request', error.message);
  if (error instanceof ProviderTakenError) throw new ApiError('invalid_state', error.message);
  throw error;
}

function providerNotFound(name: string): ApiError {
  return new ApiError('not_found', `no provider ${name.toLowerCase()} is registered in this workspace`);
}
