// Path parameters of the routes.
import { Type } from 'typebox';

export const WorkspaceParams = Type.Object({
  workspaceId: Type.String({
    description:
      'Workspace id, `rw_` and 8 characters of a-z and 0-9. Application UUIDs are refused with 404.',
    examples: ['rw_a1b2c3d4'],
  }),
});

const id = (description: string) => Type.String({ description });
export const OperationParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  opId: id('Operation id, `op_<n>`.'),
});
export const WritebackItemParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  itemId: id('Operation id, `op_<n>`.'),
});
export const ProviderParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  provider: id('Name of the provider, case-insensitive.'),
});
export const WebhookParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  subscriptionId: id('Id of the webhook endpoint.'),
});
export const WebhookDeliveryParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  deliveryId: id('Id of the delivery, its `webhook-id`.'),
});
export const SubscriptionParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  subscriptionId: id('Id of the subscription.'),
});
export const SubscriptionDeliveryParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  deliveryId: id('Id of the delivery.'),
});
export const TarballJobParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  jobId: id('Id of the job.'),
});
export const ForkParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  forkId: id('Fork id.'),
});
export const AnyOperationParams = Type.Object({ opId: OperationParams.properties.opId });
export const TokenParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  tokenId: id('Token id.'),
});
export const MirrorParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  mirrorId: id('Mirror id.'),
});

export const ConflictParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  conflictId: id('Conflict id.'),
});

export const DeadLetterParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  envelopeId: id('Envelope id.'),
});
export const ReplayEnvelopeParams = Type.Object({ envelopeId: id('Envelope id, of any workspace.') });
