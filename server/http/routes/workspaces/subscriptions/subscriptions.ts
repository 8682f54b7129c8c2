// W/subscriptions: durable subscriptions, whose events wait until their subscriber claims and accepts them.
import { grantsScope } from '../../../../auth/scopes.ts';
import { SubscriptionParams } from '../../../../contract/parameters.ts';
import {
  DurableSubscription,
  DurableSubscriptionList,
  SubscriptionBody,
} from '../../../../contract/subscriptions.ts';
import { parseWritePath } from '../../../../workspaces/model.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandRoute, route } from '../../../base/route-options.ts';
import { type App, emptyAnswer, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf } from '../../../plugins/auth.ts';
import { subscriberOf, wireSubscription } from '../../../wire/subscriptions.ts';
import { registerSubscriptionDeliveries } from './deliveries.ts';

const url = '/v1/workspaces/:workspaceId/subscriptions';

export function registerSubscriptions(app: App, dependencies: HttpDependencies): void {
  registerCreateOrRenewSubscription(app, dependencies);
  registerListSubscriptions(app, dependencies);
  registerCancelSubscription(app, dependencies);
  registerSubscriptionDeliveries(app, dependencies);
}

function registerCreateOrRenewSubscription(app: App, { subscriptions, workspaces }: HttpDependencies): void {
  app.post(
    url,
    commandRoute('fs:read', {
      operationId: 'createOrRenewSubscription',
      tag: 'Subscriptions',
      summary: 'Create or renew a subscription',
      callers: 'Scope: `fs:read` on the resource.',
      points: [
        'Each later event of these types makes a delivery that waits up to 30 days until it is claimed and accepted.',
        'A repeated request of the same subscriber extends the subscription (200). A different request for the same resource: 409 `invalid_state`; cancel the first subscription.',
        'The agent of the token is the owner.',
        'It expires with the token that created or renewed it at the latest. Existing deliveries can then be claimed with another token of the agent. When that token is revoked, the subscription is canceled.',
      ],
      body: SubscriptionBody,
      answers: {
        200: jsonAnswer(DurableSubscription, 'The existing subscription is extended.'),
        201: jsonAnswer(DurableSubscription, 'The subscription is created.'),
      },
      errors: ['invalid_state'],
    }),
    async (request, reply) => {
      const { workspaceId } = request.params;
      const { body } = request;
      const { token, access: subject } = callerOf(request);
      const { resource, terminalTypes } = readBody(body);
      if (!token.owner && !grantsScope(token.scopes, 'fs:read', resource)) {
        throw new ApiError('forbidden', 'missing required scope: fs:read');
      }
      const { allowed } = await workspaces.getFile(workspaceId, resource, subject);
      if (!allowed) throw new ApiError('forbidden', 'access denied by ACL');
      const result = await subscriptions.renew(subscriberOf(request, workspaceId), {
        subscriber: body.subscriberId,
        provider: body.provider,
        resource,
        eventTypes: body.eventTypes,
        terminalTypes,
        intent: body.intent ?? null,
        ttlSeconds: body.ttlSeconds,
      });
      switch (result.outcome) {
        case 'created':
        case 'renewed':
          return sendJson(
            reply,
            DurableSubscription,
            result.outcome === 'created' ? 201 : 200,
            wireSubscription(result.row),
          );
        case 'differs':
          throw new ApiError(
            'invalid_state',
            'this subscriber has a different subscription of the resource: cancel it first',
          );
        case 'token_revoked':
          throw new ApiError('unauthorized', 'token revoked');
        case 'too_many':
          throw new ApiError(
            'bad_request',
            'this owner has the maximum number of active subscriptions: cancel one',
          );
        default:
          return result satisfies never;
      }
    },
  );
}

/** Checks what the schema cannot express. */
function readBody(body: SubscriptionBody): {
  resource: string;
  terminalTypes: SubscriptionBody['eventTypes'];
} {
  const parsed = parseWritePath(body.resourceRef);
  if (!parsed.ok) throw new ApiError('bad_request', `resourceRef: ${parsed.reason}`);
  if (parsed.path !== body.resourceRef || parsed.path.split('/')[1]?.toLowerCase() !== body.provider) {
    throw new ApiError('bad_request', 'invalid resourceRef: its first segment must be the provider');
  }
  const terminalTypes = body.terminalEventTypes ?? [];
  if (terminalTypes.some((type) => !body.eventTypes.includes(type))) {
    throw new ApiError(
      'bad_request',
      'terminalEventTypes contains a type that eventTypes does not: add it to eventTypes',
    );
  }
  return { resource: parsed.path, terminalTypes };
}

function registerListSubscriptions(app: App, { subscriptions }: HttpDependencies): void {
  app.get(
    url,
    route('fs:read', {
      operationId: 'listSubscriptions',
      tag: 'Subscriptions',
      summary: 'List your active subscriptions',
      answers: { 200: jsonAnswer(DurableSubscriptionList, 'The subscriptions of the token’s agent.') },
    }),
    async (request, reply) => {
      const rows = await subscriptions.list(subscriberOf(request, request.params.workspaceId));
      return sendJson(reply, DurableSubscriptionList, 200, { subscriptions: rows.map(wireSubscription) });
    },
  );
}

function registerCancelSubscription(app: App, { subscriptions }: HttpDependencies): void {
  app.delete(
    `${url}/:subscriptionId`,
    commandRoute('fs:read', {
      operationId: 'cancelSubscription',
      tag: 'Subscriptions',
      summary: 'Cancel a subscription',
      points: ['Its waiting deliveries are canceled too.'],
      params: SubscriptionParams,
      answers: { 204: emptyAnswer('The subscription is canceled.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, subscriptionId } = request.params;
      if (!(await subscriptions.cancel(subscriberOf(request, workspaceId), subscriptionId))) {
        throw new ApiError('not_found', 'active subscription not found');
      }
      return reply.code(204).send();
    },
  );
}
