// The lower half of the data flow: pending operations, queued inbound events, and the state of each provider.
import type { ReactElement } from 'react';
import { Link } from 'wouter';
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
import type { StatusView } from '../../model/mirror/mirror-view.ts';
import { providerStatus, senderStatus } from '../../model/outbound/outbound-view.ts';
import { compareTexts } from '../../model/tables/sorting.ts';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { Direction, FailureLink, FlowLink, FlowNode } from './flow-parts.tsx';

/** Further providers are counted. */
const shownMax = 4;

export function ProviderFlow({ status }: { readonly status: AgentStatus }): ReactElement {
  const { known, complete, failed } = useAllProviders(
    status.workspaces.map((workspace) => workspace.workspaceId),
  );
  const rows = known.flatMap(rowsOf);
  return (
    <>
      <Traffic known={known} isNone={complete && rows.length === 0} />
      <FlowNode
        icon="provider"
        name="Providers"
        figure={rows.length > 0 ? <b>{count(rows.length)}</b> : complete ? 'none' : null}
      >
        {rows.length > 0 ? (
          <ProviderRows rows={rows} status={status} />
        ) : complete ? (
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

interface ProviderRow {
  readonly workspaceId: string;
  readonly name: string;
  /** Appended to the tooltip. */
  readonly about: string;
  readonly view: StatusView;
  readonly cause: string | null;
  /** Time of its last successful request or inbound event. */
  readonly seenAt: string | null;
}

/** Registered providers, and senders of webhooks. */
function rowsOf({ workspaceId, providers, senders, syncs }: WorkspaceProviders): readonly ProviderRow[] {
  return [
    ...providers.map((each) => ({
      workspaceId,
      name: each.provider,
      about: '',
      view: providerStatus(each),
      cause: each.cause ?? null,
      seenAt: newest(
        each.lastSuccessAt,
        syncs.find(({ provider }) => provider === each.provider)?.watermarkTs ?? undefined,
      ),
    })),
    ...senders.map((each) => ({
      workspaceId,
      name: each.provider,
      about: ': not registered, sends webhooks only',
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

const rank = { failed: 0, warn: 1, paused: 2 } as const;

function ProviderRows({
  rows,
  status,
}: {
  readonly rows: readonly ProviderRow[];
  readonly status: AgentStatus;
}): ReactElement {
  const sorted = rows.toSorted(
    (a, b) => rankOf(a.view.kind) - rankOf(b.view.kind) || compareTexts(a.name, b.name),
  );
  const hidden = sorted.length - shownMax;
  const several = new Set(rows.map((row) => row.workspaceId)).size > 1;
  return (
    <ul className="provider-rows">
      {sorted.slice(0, shownMax).map(({ workspaceId, name, about, view, cause, seenAt }) => (
        <li key={`${workspaceId} ${name}`}>
          <Link
            className="ellipsis"
            href={screenHref('writeback', null, { workspace: workspaceId })}
            title={`${several ? `${name} of ${workspaceName(status.workspaces, workspaceId)}` : name}${about}`}
          >
            {name}
          </Link>
          <Status {...view} />
          <span className="faint end">{seenAt === null ? null : <Time at={seenAt} as="ago" />}</span>
          {cause === null ? null : (
            <span className="cause faint ellipsis" title={cause}>
              {cause}
            </span>
          )}
        </li>
      ))}
      {hidden > 0 ? <li className="faint">and {count(hidden)} more</li> : null}
    </ul>
  );
}

function rankOf(kind: string): number {
  return kind in rank ? rank[kind as keyof typeof rank] : 3;
}
