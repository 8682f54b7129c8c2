// Puts together what a group of commands runs on: the handlers of every kind of command over one writing connection. The
// writer's thread is its one user in the agent. It opens nothing and commits nothing.
import type { AgentConfig } from '../platform/config.ts';
import { BlobRows } from './blob-rows.ts';
import { changeFiles } from './change-files.ts';
import type { Handlers } from './commands.ts';
import { Counters } from './counters.ts';
import { deliveryHandlers } from './deliveries.ts';
import { envelopeHandlers } from './envelope-commands.ts';
import { forkHandlers } from './forks/handlers.ts';
import type { GroupParts } from './group-commit.ts';
import { IngressCounts } from './ingress.ts';
import { noteAgreement } from './mirror-base.ts';
import { mirrorHandlers } from './mirrors.ts';
import { hasProvider, providerHandlers } from './providers.ts';
import { restoreFiles } from './restore-files.ts';
import type { Statements } from './sqlite.ts';
import { subscriptionHandlers } from './subscriptions.ts';
import { sweepHandlers } from './sweep.ts';
import { tokenHandlers } from './tokens.ts';
import { webhookHandlers } from './webhooks.ts';
import { workspaceHandlers } from './workspaces.ts';
import { writebackHandlers } from './writebacks.ts';

/** `hasBlobFile`: does the content of this hash lie as a durable file? */
export function createGroupParts(
  statements: Statements,
  externalWriteback: AgentConfig['externalWriteback'],
  hasBlobFile: (hash: string) => boolean,
): GroupParts {
  const counters = new Counters(statements);
  const ingress = new IngressCounts(statements);
  const blobs = new BlobRows(statements, hasBlobFile);
  const touched: string[] = [];
  // Contract ruling 16: `auto` waits only for registered providers.
  const hasConsumer = (workspace: number, provider: string) =>
    externalWriteback === 'all' ||
    (externalWriteback === 'auto' && hasProvider(statements, workspace, provider));
  const changeParts = {
    statements,
    counters,
    ingress,
    blobs,
    hasConsumer,
    touched: (workspaceId: string) => void touched.push(workspaceId),
  };
  const handlers: Handlers = {
    change_files(command) {
      const results = changeFiles(changeParts, command);
      if (command.agreement !== undefined) noteAgreement(statements, command.agreement, results);
      return results;
    },
    restore_files: (command) => restoreFiles(changeParts, command),
    ...forkHandlers(changeParts),
    ...workspaceHandlers(statements),
    ...writebackHandlers({ ...changeParts, change: (command) => changeFiles(changeParts, command) }),
    ...providerHandlers(statements),
    ...webhookHandlers(statements),
    ...subscriptionHandlers(statements),
    ...envelopeHandlers(changeParts),
    ...deliveryHandlers(changeParts),
    ...tokenHandlers(statements),
    ...mirrorHandlers(statements),
    ...sweepHandlers(statements, blobs, ingress),
  };
  return { statements, counters, ingress, handlers, touched };
}
