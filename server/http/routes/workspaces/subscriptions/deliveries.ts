// W/subscriptions/deliveries: claims waiting deliveries and accepts them. A claim is a lease: a delivery that is not accepted in time
// can be claimed again, so a crashed subscriber loses none.
import { SubscriptionDeliveryParams } from '../../../../contract/parameters.ts';
import {
  AcceptBody,
  AcceptedDelivery,
  ClaimBody,
  SubscriptionDeliveryList,
} from '../../../../contract/subscriptions.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { claimDefault } from '../../../base/limits.ts';
import { commandRoute } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf } from '../../../plugins/auth.ts';
import { subscriberOf, wireSubscriptionDelivery } from '../../../wire/subscriptions.ts';

const url = '/v1/workspaces/:workspaceId/subscriptions/deliveries';

export function registerSubscriptionDeliveries(app: App, dependencies: HttpDependencies): void {
  registerClaimSubscriptionDeliveries(app, dependencies);
  registerAcceptSubscriptionDelivery(app, dependencies);
}

function registerClaimSubscriptionDeliveries(app: App, { subscriptions }: HttpDependencies): void {
  app.post(
    `${url}/claim`,
    commandRoute('fs:read', {
      operationId: 'claimSubscriptionDeliveries',
      tag: 'Subscriptions',
      summary: 'Claim waiting deliveries',
      callers: 'Scope: any grant of `fs:read`; deliveries that the token may no longer read are omitted.',
      points: [
        'Oldest first. A claim lasts 60 s; a delivery that is not accepted by then can be claimed again.',
      ],
      optionalBody: ClaimBody,
      answers: { 200: jsonAnswer(SubscriptionDeliveryList, 'The claimed deliveries.') },
    }),
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
    commandRoute('fs:read', {
      operationId: 'acceptSubscriptionDelivery',
      tag: 'Subscriptions',
      summary: 'Accept a claimed delivery',
      points: ['Requires the claim token of a current claim; otherwise 409 `invalid_state`.', 'Idempotent.'],
      params: SubscriptionDeliveryParams,
      body: AcceptBody,
      answers: { 200: jsonAnswer(AcceptedDelivery, 'The delivery is accepted.') },
      errors: ['not_found', 'invalid_state'],
    }),
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
