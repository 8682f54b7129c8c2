// Path parameters of the routes.
import { type TString, Type } from 'typebox';

export const WorkspaceParams = Type.Object({
  workspaceId: Type.String({
    description:
      'Workspace id, `rw_` and 8 characters of a-z and 0-9. Application UUIDs are refused with 404.',
    examples: ['rw_a1b2c3d4'],
  }),
});

const id = (description: string) => Type.String({ description });
const inWorkspace = <Ids extends Record<string, TString>>(ids: Ids) =>
  Type.Object({ ...WorkspaceParams.properties, ...ids });

export const OperationParams = inWorkspace({ opId: id('Operation id, `op_<n>`.') });
export const WritebackItemParams = inWorkspace({ itemId: id('Operation id, `op_<n>`.') });
export const ProviderParams = inWorkspace({ provider: id('Name of the provider, case-insensitive.') });
export const WebhookParams = inWorkspace({ subscriptionId: id('Id of the webhook endpoint.') });
export const WebhookDeliveryParams = inWorkspace({ deliveryId: id('Id of the delivery, its `webhook-id`.') });
export const SubscriptionParams = inWorkspace({ subscriptionId: id('Id of the subscription.') });
export const SubscriptionDeliveryParams = inWorkspace({ deliveryId: id('Id of the delivery.') });
export const TarballJobParams = inWorkspace({ jobId: id('Id of the job.') });
export const ForkParams = inWorkspace({ forkId: id('Fork id.') });
export const AnyOperationParams = Type.Object({ opId: OperationParams.properties.opId });
export const TokenParams = inWorkspace({ tokenId: id('Token id.') });
export const MirrorParams = inWorkspace({ mirrorId: id('Mirror id.') });
export const ConflictParams = inWorkspace({ conflictId: id('Conflict id.') });
export const DeadLetterParams = inWorkspace({ envelopeId: id('Envelope id.') });
export const ReplayEnvelopeParams = Type.Object({ envelopeId: id('Envelope id, of any workspace.') });
