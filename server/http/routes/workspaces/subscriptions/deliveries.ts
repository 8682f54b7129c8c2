// W/subscriptions/deliveries: claims waiting deliveries and accepts them. A claim is a lease: a delivery that is not accepted in time
// can be claimed again, so a crashed subscriber loses none.
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
  describeRoute,
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
        summary: 'Claim waiting deliveries',
        description: describeRoute(
          'Scope: any grant of `fs:read`; deliveries that the token may no longer read are omitted.',
          'Oldest first. A claim lasts 60 s; a delivery that is not accepted by then can be claimed again.',
        ),
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        body: { ...ClaimBody, ...optionalBody },
        response: {
          200: jsonAnswer(SubscriptionDeliveryList, 'The claimed deliveries.'),
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
        summary: 'Accept a claimed delivery',
        description: describeRoute(
          'Scope: any grant of `fs:read`.',
          'Requires the claim token of a current claim; otherwise 409 `invalid_state`.',
          'Idempotent.',
        ),
        security: bearer,
        params: SubscriptionDeliveryParams,
        headers: CorrelationHeaders,
        body: AcceptBody,
        response: {
          200: jsonAnswer(AcceptedDelivery, 'The delivery is accepted.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'invalid_state', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, deliveryId } = request.params;
      const subscriber = subscriberOf(request, workspaceId);
      const result = await subscriptions.accept(subscriber, deliveryId, request.body.claimToken);
      if (result === 'unknown') throw new ApiError('not_found', 'delivery not found');
      if (result === 'not_claimed') {
        throw new ApiError(
          'invalid_state',
          'the claim token is wrong or the claim has expired: claim the delivery again',
        );
      }
      return sendJson(reply, AcceptedDelivery, 200, { delivery: wireSubscriptionDelivery(result) });
    },
  );
}
