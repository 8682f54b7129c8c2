// The providers with their state and pending operations; add, edit, test, pause, refresh, remove.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import type { Provider } from '../../../server/contract/providers.ts';
import { useAllProviders } from '../../api/outbound.ts';
import {
  describeError,
  useDisabledReason,
  useServices,
  useStatus,
  workspaceName,
} from '../../api/services.ts';
import { useKeys } from '../../keys.ts';
import { screenHref } from '../../location/screen-location.ts';
import { count, plural } from '../../model/format.ts';
import { providerStatus } from '../../model/outbound/outbound-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { RowMenu } from '../../parts/buttons/row-menu.tsx';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { CircuitNote } from '../../parts/feedback/circuit-note.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { LoadError } from '../../parts/feedback/load-error.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { actionsColumn, TableCard } from '../../parts/tables/table-card.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { ProviderEditDialog } from './provider-edit-dialog.tsx';
import { SectionHead } from './section-head.tsx';

interface Row {
  readonly workspaceId: string;
  readonly provider: Provider;
}

export function ProvidersSection(): ReactElement {
  const queries = useQueryClient();
  const disabledReason = useDisabledReason();
  const workspaces = useStatus()?.workspaces ?? [];
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Row | null>(null);
  const all = useAllProviders(workspaces.map((workspace) => workspace.workspaceId));
  const rows: readonly Row[] = all.known.flatMap(({ workspaceId, providers }) =>
    providers.map((provider) => ({ workspaceId, provider })),
  );
  const reload = (): void => void queries.invalidateQueries({ queryKey: ['outbound'] });
  const addDisabled = disabledReason ?? (workspaces.length === 0 ? 'Create a workspace first.' : null);
  useKeys({ n: () => addDisabled === null && setAdding(true) });
  return (
    <>
      <SectionHead title="Providers" about={all.complete ? plural(rows.length, 'provider') : undefined}>
        <Button
          kind="primary"
          icon="add"
          shortcut="N"
          disabledReason={addDisabled}
          onClick={() => setAdding(true)}
        >
          Add provider…
        </Button>
      </SectionHead>
      {all.failed === null ? null : <LoadError what="the providers" error={all.failed} onAgain={reload} />}
      {rows.length === 0 ? (
        all.complete ? (
          <div className="empty-card">
            <p>
              A provider receives the changes below the directory of its name, for example{' '}
              <span className="mono">/github/</span>. Without a provider, all data stays on this computer.
              Inbound webhooks do not need one.
            </p>
          </div>
        ) : null
      ) : (
        <TableCard columns={['Provider', 'Delivery', { name: 'State', brief: true }, actionsColumn]}>
          {rows.map((row) => (
            <ProviderRow
              key={`${row.workspaceId} ${row.provider.provider}`}
              row={row}
              workspace={workspaceName(workspaces, row.workspaceId)}
              onRemove={() => setRemoving(row)}
            />
          ))}
        </TableCard>
      )}
      {adding ? <ProviderDialog onClose={() => setAdding(false)} onAdded={reload} /> : null}
      {removing === null ? null : (
        <RemoveDialog row={removing} onRemoved={reload} onClose={() => setRemoving(null)} />
      )}
    </>
  );
}

function RemoveDialog({
  row: { workspaceId, provider },
  onRemoved,
  onClose,
}: {
  readonly row: Row;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const { provider: name } = provider;
  const pending = provider.pending + provider.running;
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      confirm="Remove provider"
      danger
      onConfirm={async () => {
        const { canceled } = await client.providers.remove(workspaceId, name);
        announce(`Provider ${name} removed, ${plural(canceled, 'operation')} canceled.`);
        onRemoved();
      }}
      onClose={onClose}
    >
      <p>
        {pending === 0
          ? 'No operations are pending.'
          : `${plural(pending, 'pending operation')} will be canceled.`}{' '}
        Files, history and dead-lettered operations are kept. Its secret is deleted.
      </p>
    </ConfirmDialog>
  );
}

function ProviderRow({
  row,
  workspace,
  onRemove,
}: {
  readonly row: Row;
  readonly workspace: string;
  readonly onRemove: () => void;
}): ReactElement {
  const { provider, workspaceId } = row;
  const { provider: name } = provider;
  return (
    <tr>
      <th scope="row">
        <Link href={screenHref('writeback', null, { workspace: workspaceId })}>{name}</Link>
        <span className="second faint">{workspace}</span>
      </th>
      <td>
        {provider.kind === 'http' ? (
          <span className="mono ellipsis-cell" title={provider.url}>
            {provider.url}
          </span>
        ) : (
          'External consumer'
        )}
        <span className="second faint">
          {count(provider.pending + provider.running)} pending, {count(provider.deadLettered)} dead-lettered
        </span>
      </td>
      <td>
        <Status {...providerStatus(provider)} />
        <CircuitNote provider={provider} className="second" />
        {provider.cause === undefined ? null : <span className="second faint">{provider.cause}</span>}
      </td>
      <td className="actions">
        <ProviderActions row={row} onRemove={onRemove} />
      </td>
    </tr>
  );
}

function ProviderActions({
  row,
  onRemove,
}: {
  readonly row: Row;
  readonly onRemove: () => void;
}): ReactElement {
  const { client, queries } = useServices();
  const disabledReason = useDisabledReason();
  const [editing, setEditing] = useState(false);
  const { workspaceId, provider } = row;
  const { provider: name } = provider;
  const reload = async (): Promise<void> =>
    await queries.invalidateQueries({ queryKey: ['outbound', workspaceId] });
  const paused = provider.state === 'paused';
  const test = useMutation({
    mutationFn: async () => await client.providers.test(workspaceId, name),
    onSuccess: (result) => announce(`${name}: ${result.message}`),
    onSettled: reload,
  });
  const pause = useMutation({
    mutationFn: async () =>
      paused
        ? await client.providers.resume(workspaceId, name)
        : await client.providers.pause(workspaceId, name),
    onSuccess: () => announce(`Sending to ${name} is ${paused ? 'resumed' : 'paused'}.`),
    onSettled: reload,
  });
  const refresh = useMutation({
    mutationFn: async () =>
      await client.providers.refresh(workspaceId, { provider: name, reason: 'requested in Settings' }),
    onSuccess: () => announce(`Refreshing ${name}.`),
  });
  const failure = test.error ?? pause.error ?? refresh.error;
  const result = test.data;
  return (
    <>
      <span className="row">
        <Button disabledReason={test.isPending ? 'Testing…' : disabledReason} onClick={() => test.mutate()}>
          Test<span className="reader-only"> {name}</span>
        </Button>
        <Button
          icon={paused ? 'resume' : 'paused'}
          label={`${paused ? 'Resume' : 'Pause'} sending to ${name}`}
          disabledReason={pause.isPending ? 'Working…' : disabledReason}
          onClick={() => pause.mutate()}
        />
        <RowMenu
          label={`More for ${name}`}
          actions={[
            {
              text: 'Edit…',
              icon: 'edit',
              disabledReason:
                disabledReason ??
                (provider.kind === 'external' ? 'An external consumer has no address to edit.' : null),
              run: () => setEditing(true),
            },
            {
              text: 'Refresh now',
              icon: 'moving',
              disabledReason: disabledReason ?? (refresh.isPending ? 'Refreshing…' : null),
              run: () => refresh.mutate(),
            },
            { text: 'Remove provider…', icon: 'deleted', disabledReason, run: onRemove },
          ]}
        />
      </span>
      {failure !== null ? (
        <span className="second bad" role="alert">
          {describeError(failure)}
        </span>
      ) : result !== undefined ? (
        <span className={`second ${result.ok ? 'good' : 'bad'}`}>
          <Icon of={result.ok ? 'fine' : 'failed'} small /> {result.message}
          {result.httpStatus === undefined ? '' : ` (${count(result.tookMs)} ms)`}
        </span>
      ) : null}
      {editing ? (
        <ProviderEditDialog
          workspaceId={workspaceId}
          provider={provider}
          onSaved={() => test.mutate()}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </>
  );
}
