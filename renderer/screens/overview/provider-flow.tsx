// Providers in the data flow: pending operations, queued inbound events, and the state of each provider.
import type { ReactElement } from 'react';
import type { AgentStatus } from '../../../server/contract/agent.ts';
import { useAllProviders, type WorkspaceProviders } from '../../api/outbound.ts';
import {
  failedByWorkspace,
  totalOf,
  useAllDeadLetters,
  useAllIngress,
  workspaceWithMost,
} from '../../api/pending-work.ts';
import { describeError, useDisabledReason, workspaceName } from '../../api/services.ts';
import { screenHref } from '../../location/screen-location.ts';
import { count, plural } from '../../model/format.ts';
import { providerStatus, senderStatus } from '../../model/outbound/outbound-view.ts';
import { Direction, FailureLink, FlowLink, FlowNode } from './flow-parts.tsx';
import { type FlowRow, FlowRows } from './flow-rows.tsx';

export function ProviderFlow({ status }: { readonly status: AgentStatus }): ReactElement {
  const { known, complete, failed } = useAllProviders(
    status.workspaces.map((workspace) => workspace.workspaceId),
  );
  const several = known.filter((each) => each.providers.length + each.senders.length > 0).length > 1;
  const rows = known.flatMap((each) =>
    rowsOf(each, several ? ` of ${workspaceName(status.workspaces, each.workspaceId)}` : ''),
  );
  return (
    <>
      <Traffic known={known} isNone={complete && rows.length === 0} />
      <FlowNode
        icon="provider"
        name="Providers"
        figure={rows.length > 0 ? <b>{count(rows.length)}</b> : complete ? 'none' : null}
      >
        {rows.length > 0 ? (
          <FlowRows rows={rows} />
        ) : complete && status.remotes.length === 0 ? (
          <span>All data stays on this computer.</span>
        ) : failed !== null ? (
          <span>{describeError(failed)}</span>
        ) : null}
      </FlowNode>
    </>
  );
}

/** Operations to the providers, inbound events from them, and what failed of both. */
function Traffic({
  known,
  isNone,
}: {
  readonly known: readonly WorkspaceProviders[];
  /** There are no providers. */
  readonly isNone: boolean;
}): ReactElement {
  const offline = useDisabledReason() !== null;
  const ingress = useAllIngress();
  const deadLettersByWorkspace = useAllDeadLetters();
  const providers = known.flatMap((each) => each.providers);
  const pending = providers.reduce((total, each) => total + each.pending, 0);
  const running = providers.reduce((total, each) => total + each.running, 0);
  const failed = failedByWorkspace(known);
  const failedOperations = totalOf(failed);
  const deadLetters = ingress.data?.deadLetterTotal ?? 0;
  const inQueue = ingress.data?.pendingTotal ?? 0;
  return (
    <FlowLink>
      <Direction idle={offline || running === 0}>
        {isNone ? (
          'no operations'
        ) : (
          <>
            <b>{count(pending)}</b> pending · <b>{count(running)}</b> running
          </>
        )}
      </Direction>
      <Direction idle={offline || inQueue === 0} back>
        {isNone && inQueue === 0 ? (
          'no inbound events'
        ) : (
          <>
            <b>{count(inQueue)}</b> queued
          </>
        )}
      </Direction>
      <FailureLink
        failures={failedOperations}
        text={plural(failedOperations, 'failed', 'failed')}
        href={screenHref('writeback', null, {
          workspace: workspaceWithMost(failed) ?? '',
          filter: 'failed',
        })}
      />
      <FailureLink
        failures={deadLetters}
        text={plural(deadLetters, 'dead letter')}
        href={screenHref('dead-letters', null, {
          workspace: workspaceWithMost(deadLettersByWorkspace) ?? '',
        })}
      />
    </FlowLink>
  );
}

/** Registered providers, and senders of webhooks. `where`: appended to the tooltip. */
function rowsOf(
  { workspaceId, providers, senders, syncs }: WorkspaceProviders,
  where: string,
): readonly FlowRow[] {
  const href = screenHref('writeback', null, { workspace: workspaceId });
  const of = (name: string) => ({ key: `${workspaceId} ${name}`, name, href });
  return [
    ...providers.map((each) => ({
      ...of(each.provider),
      title: `${each.provider}${where}`,
      view: providerStatus(each),
      cause: each.cause ?? null,
      seenAt: newest(
        each.lastSuccessAt,
        syncs.find(({ provider }) => provider === each.provider)?.watermarkTs ?? undefined,
      ),
    })),
    ...senders.map((each) => ({
      ...of(each.provider),
      title: `${each.provider}${where}: not registered, sends webhooks only`,
      view: senderStatus(each),
      cause: each.cause ?? null,
      seenAt: each.lastReceivedAt,
    })),
  ];
}

function newest(...times: readonly (string | undefined)[]): string | null {
  const known = times.filter((time) => time !== undefined);
  return known.sort((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null;
}
