// The right half of the pipeline: what is on its way to providers and from them, and how each provider is.
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { AgentStatus } from '../../../server/contract/agent.ts';
import { failedByWorkspace, mostOf, useAllIngress, useAllLetters } from '../../api/open-work.ts';
import { useAllProviders, type WorkspaceProviders } from '../../api/outbound.ts';
import { describeError, useBlocked, workspaceName } from '../../api/services.ts';
import { count, counted } from '../../model/format.ts';
import { providerStatus } from '../../model/outbound-view.ts';
import { Icon } from '../../parts/icon.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { placeHref } from '../../screen-place.ts';
import { Lane } from './lane.tsx';
import { Trouble } from './trouble.tsx';

/** Of the card; the others are counted. */
const shownMax = 4;

export function ProviderFlow({ status }: { readonly status: AgentStatus }): ReactElement {
  const offline = useBlocked() !== null;
  const { known, complete, failed } = useAllProviders(
    status.workspaces.map((workspace) => workspace.workspaceId),
  );
  const ingress = useAllIngress();
  const letters = useAllLetters();
  const rows = known.flatMap(rowsOf);
  const sum = (pick: (row: ProviderRow) => number): number =>
    rows.reduce((total, row) => total + pick(row), 0);
  const pending = sum((row) => row.provider?.pending ?? 0);
  const running = sum((row) => row.provider?.running ?? 0);
  const deadOps = sum((row) => row.provider?.deadLettered ?? row.sync?.deadLetteredOps ?? 0);
  const deadLetters = ingress.data?.deadLetterTotal ?? 0;
  const inQueue = ingress.data?.pendingTotal ?? 0;
  const none = complete && rows.length === 0;
  return (
    <>
      <div className="link">
        <div className="trouble">
          <Trouble
            of={deadOps}
            word={counted(deadOps, 'failed', 'failed')}
            href={placeHref('writeback', null, {
              workspace: mostOf(failedByWorkspace(known)) ?? '',
              filter: 'failed',
            })}
          />
        </div>
        <Lane idle={offline || running === 0}>
          {none ? (
            <span className="faint">nothing to send</span>
          ) : (
            <>
              <b>{count(pending)}</b> pending · <b>{count(running)}</b> running
            </>
          )}
        </Lane>
        <Lane idle={offline || inQueue === 0} back>
          {none && inQueue === 0 ? (
            <span className="faint">nothing comes in</span>
          ) : (
            <>
              <b>{count(inQueue)}</b> in queue
            </>
          )}
        </Lane>
        <div className="trouble">
          <Trouble
            of={deadLetters}
            word={counted(deadLetters, 'dead letter')}
            href={placeHref('dead-letters', null, { workspace: mostOf(letters) ?? '' })}
          />
        </div>
      </div>
      <div className="node">
        <h2>
          <Icon of="provider" />
          Providers
        </h2>
        {rows.length > 0 ? (
          <ProviderRows rows={rows} status={status} />
        ) : complete ? (
          <>
            <div className="figure">None registered</div>
            <div className="figure faint">Everything stays on this computer.</div>
          </>
        ) : failed !== null ? (
          <div className="figure faint">{describeError(failed)}</div>
        ) : null}
      </div>
    </>
  );
}

interface ProviderRow {
  readonly workspaceId: string;
  readonly name: string;
  readonly provider: WorkspaceProviders['providers'][number] | null;
  readonly sync: WorkspaceProviders['syncs'][number] | null;
}

/** Registered ones, and those that only send webhooks. */
function rowsOf({ workspaceId, providers, syncs }: WorkspaceProviders): readonly ProviderRow[] {
  const names = new Set([
    ...providers.map((each) => each.provider),
    ...syncs.filter((each) => each.cursor != null).map((each) => each.provider),
  ]);
  return [...names].map((name) => ({
    workspaceId,
    name,
    provider: providers.find((each) => each.provider === name) ?? null,
    sync: syncs.find((each) => each.provider === name) ?? null,
  }));
}

const rank = { failed: 0, warn: 1, paused: 2 } as const;

function ProviderRows({
  rows,
  status,
}: {
  readonly rows: readonly ProviderRow[];
  readonly status: AgentStatus;
}): ReactElement {
  const viewed = rows
    .map((row) => ({ row, view: viewOf(row) }))
    .sort((a, b) => rankOf(a.view.kind) - rankOf(b.view.kind) || a.row.name.localeCompare(b.row.name, 'en'));
  const hidden = viewed.length - shownMax;
  const several = new Set(rows.map((row) => row.workspaceId)).size > 1;
  return (
    <ul className="provider-rows">
      {viewed.slice(0, shownMax).map(({ row, view }) => {
        const at = lastSeen(row);
        const where = workspaceName(status.workspaces, row.workspaceId);
        return (
          <li key={`${row.workspaceId} ${row.name}`}>
            <Link
              className="ellipsis"
              href={placeHref('writeback', null, { workspace: row.workspaceId })}
              title={several ? `${row.name} of ${where}` : row.name}
            >
              {row.name}
            </Link>
            <Status {...view} />
            <span className="faint end">{at === null ? null : <Time at={at} as="ago" />}</span>
          </li>
        );
      })}
      {hidden > 0 ? <li className="faint">and {count(hidden)} more</li> : null}
    </ul>
  );
}

/** One that nobody registered only sends: it is as its webhooks are. */
function viewOf({ provider, sync }: ProviderRow): ReturnType<typeof providerStatus> {
  const view = providerStatus(provider, sync);
  return view.kind === 'offline' ? { kind: 'ok', word: 'Healthy' } : view;
}

function rankOf(kind: string): number {
  return kind in rank ? rank[kind as keyof typeof rank] : 3;
}

/** When it last took or brought something. */
function lastSeen({ provider, sync }: ProviderRow): string | null {
  const times = [provider?.lastSuccessAt, sync?.watermarkTs].filter((time) => typeof time === 'string');
  return times.sort((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null;
}
