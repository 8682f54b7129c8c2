// Parameters in the path of a route: which workspace, and what in it.
import { Type } from 'typebox';

export const WorkspaceParams = Type.Object({
  workspaceId: Type.String({
    description:
      'Workspace id, `rw_` and 8 characters of a-z and 0-9. Application UUIDs are refused with 404.',
    examples: ['rw_a1b2c3d4'],
  }),
});

const item = (description: string) => Type.String({ description });
export const OperationParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  opId: item('Operation id, `op_<n>`.'),
});
export const WritebackItemParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  itemId: item('Id of the item, which is the id of its operation.'),
});
export const ProviderParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  provider: item('Name of the provider; case does not count.'),
});
export const WebhookParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  subscriptionId: item('Id of the webhook.'),
});
export const WebhookDeliveryParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  deliveryId: item('Id of the delivery, its `webhook-id`.'),
});
export const SubscriptionParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  subscriptionId: item('Id of the subscription.'),
});
export const SubscriptionDeliveryParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  deliveryId: item('Id of the delivery.'),
});
export const TarballJobParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  jobId: item('Id of the job.'),
});
export const ForkParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  forkId: item('Fork id.'),
});
export const AnyOperationParams = Type.Object({ opId: OperationParams.properties.opId });
export const TokenParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  tokenId: item('Token id.'),
});
export const MirrorParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  mirrorId: item('Mirror id.'),
});

export const ConflictParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  conflictId: item('Conflict id.'),
});

export const DeadLetterParams = Type.Object({
  workspaceId: WorkspaceParams.properties.workspaceId,
  envelopeId: item('Envelope id.'),
});
export const ReplayEnvelopeParams = Type.Object({ envelopeId: item('Envelope id, of any workspace.') });
