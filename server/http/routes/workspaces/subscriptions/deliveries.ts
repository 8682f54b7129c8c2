// W/subscriptions/deliveries: claiming what waits, and accepting it. A claim is a lease: what is not accepted in time is
// claimed again, so a subscriber that dies in between loses nothing.
import {
  CorrelationHeaders,
  SubscriptionDeliveryParams,
  WorkspaceParams,
} from '../../../../contract/parameters.ts';
import {
  AcceptBody,
  AcceptedDelivery,
  ClaimBody,
  SubscriptionDeliveryList,
} from '../../../../contract/subscriptions.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { claimDefault, commandBodyBytesMax } from '../../../base/limits.ts';
import {
  type App,
  bearer,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../base/routing.ts';
import { callerOf } from '../../../plugins/auth.ts';
import { optionalBody } from '../../../plugins/bodies.ts';
import { subscriberOf, wireSubscriptionDelivery } from '../../../wire/subscriptions.ts';

const url = '/v1/workspaces/:workspaceId/subscriptions/deliveries';
const access = { kind: 'workspace', scope: 'fs:read', path: 'none' } as const;

export function registerSubscriptionDeliveries(app: App, dependencies: HttpDependencies): void {
  registerClaimSubscriptionDeliveries(app, dependencies);
  registerAcceptSubscriptionDelivery(app, dependencies);
}

function registerClaimSubscriptionDeliveries(app: App, { subscriptions }: HttpDependencies): void {
  app.post(
    `${url}/claim`,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access },
      schema: {
        operationId: 'claimSubscriptionDeliveries',
        tags: ['Subscriptions'],
        summary: 'Claim deliveries that wait',
        description:
          'Scope: any grant of `fs:read`; what the token may no longer read is passed over. The oldest first, each for 60 s; whatever is not accepted until then can be claimed again.',
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        body: { ...ClaimBody, ...optionalBody },
        response: {
          200: jsonAnswer(SubscriptionDeliveryList, 'What is now claimed.'),
          ...errorAnswers([...workspaceErrors, 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { access: eyes, token } = callerOf(request);
      const { limit = claimDefault } = request.body ?? {};
      const rows = await subscriptions.claim(subscriberOf(request, request.params.workspaceId), limit, {
        access: eyes,
        scopes: token.owner ? null : token.scopes,
      });
      return sendJson(reply, SubscriptionDeliveryList, 200, {
        deliveries: rows.map(wireSubscriptionDelivery),
      });
    },
  );
}

function registerAcceptSubscriptionDelivery(app: App, { subscriptions }: HttpDependencies): void {
  app.post(
    `${url}/:deliveryId/accept`,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access },
      schema: {
        operationId: 'acceptSubscriptionDelivery',
        tags: ['Subscriptions'],
        summary: 'Accept a delivery that you have claimed',
        description:
          'Scope: any grant of `fs:read`. With the claim token, while the claim holds: else 409 `invalid_state`. Accepting again what is accepted answers the same.',
        security: bearer,
        params: SubscriptionDeliveryParams,
        headers: CorrelationHeaders,
        body: AcceptBody,
        response: {
          200: jsonAnswer(AcceptedDelivery, 'It is accepted.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'invalid_state', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, deliveryId } = request.params;
      const subscriber = subscriberOf(request, workspaceId);
      const result = await subscriptions.accept(subscriber, deliveryId, request.body.claimToken);
      if (result === 'unknown') throw new ApiError('not_found', 'there is no such delivery');
      if (result === 'not_claimed') {
        throw new ApiError('invalid_state', 'this claim does not hold, or not any more');
      }
      return sendJson(reply, AcceptedDelivery, 200, { delivery: wireSubscriptionDelivery(result) });
    },
  );
}
