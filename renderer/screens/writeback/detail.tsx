// The detail pane of an operation: state, preview, attempts, actions.
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import { NotFoundError } from '../../../sdk/index.ts';
import type { Operation } from '../../../server/contract/operations.ts';
import type { Provider } from '../../../server/contract/providers.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { useKeys } from '../../keys.ts';
import { filesHref } from '../../location/app-location.ts';
import { plural } from '../../model/format.ts';
import { isRetrying, nextAttemptOf, operationStatus } from '../../model/outbound/outbound-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { announce, announceFailure } from '../../parts/feedback/answers.ts';
import { ErrorBlock, RetryAt } from '../../parts/feedback/error-block.tsx';
import { QueryError } from '../../parts/feedback/load-error.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { DetailHead, DetailPane } from '../../parts/tables/detail-head.tsx';
import type { Panes } from '../../parts/tables/use-panes.tsx';
import { Attempts } from './attempts.tsx';
import { CancelDialog, MarkFailedDialog, MarkSentDialog } from './operation-dialogs.tsx';
import { OperationPreview } from './operation-preview.tsx';

interface DetailProps {
  readonly workspaceId: string;
  /** null: no selection. */
  readonly opId: string | null;
  /** Absent: not in the list, so it is loaded here. */
  readonly listed: Operation | undefined;
  readonly provider: Provider | null;
  /** Rows are selected, so shortcuts act on these. */
  readonly keysOff: boolean;
  readonly panes: Panes;
  readonly view: string;
  readonly onView: (view: 'changes' | 'file' | 'request') => void;
  readonly onClose: () => void;
}

export function WritebackDetail(props: DetailProps): ReactElement {
  return (
    <DetailPane label="Operation" openId={props.opId} hint="Use J/K or the arrow keys." panes={props.panes}>
      {(opId) => <SelectedOperation {...props} opId={opId} />}
    </DetailPane>
  );
}

function SelectedOperation(props: DetailProps & { readonly opId: string }): ReactElement {
  const { workspaceId, opId, listed, onClose } = props;
  const { client } = useServices();
  // The list may not have succeeded or canceled operations.
  const query = useQuery({
    queryKey: ['outbound', workspaceId, 'operation', opId],
    queryFn: async () => await client.operations.get(workspaceId, opId),
    enabled: listed === undefined,
  });
  const operation = listed ?? query.data;
  if (operation !== undefined) return <OperationView {...props} operation={operation} />;
  return (
    <>
      <DetailHead title={opId} titleClass="mono" onClose={onClose} />
      {query.isError ? (
        query.error instanceof NotFoundError ? (
          <div className="empty">
            <h2>Operation not found</h2>
            <p>It belongs to another workspace, is no longer retained, or the link is wrong.</p>
          </div>
        ) : (
          <QueryError query={query} path={opId} retry="Retries automatically when the agent responds." />
        )
      ) : null}
    </>
  );
}

type Asking = 'sent' | 'failed' | 'cancel';

function useOperationActions(workspaceId: string, operation: Operation, provider: Provider | null) {
  const { client, queries } = useServices();
  const offline = useDisabledReason();
  const { opId, status } = operation;
  const isOpen = status === 'pending' || status === 'running';
  // A retrying operation can skip its backoff.
  const canRetryNow = isRetrying(operation) && status === 'pending' && provider?.kind === 'http';
  const retry = useMutation({
    mutationFn: async () =>
      canRetryNow
        ? await client.writeback.retryNow(workspaceId, opId)
        : await client.operations.replay(workspaceId, opId),
    onSuccess: () =>
      announce(`${canRetryNow ? 'Retrying' : 'Queued again:'} ${operation.path ?? 'the change'}.`),
    onError: (error) => announceFailure(describeError(error)),
    onSettled: async () => await queries.invalidateQueries({ queryKey: ['outbound', workspaceId] }),
  });
  const retryDisabled =
    offline ??
    (retry.isPending
      ? 'Working…'
      : status === 'dead_lettered' || (canRetryNow && provider.state !== 'paused')
        ? null
        : isOpen
          ? 'Sent automatically. Only dead-lettered operations can be retried.'
          : 'Finished. Only dead-lettered operations can be retried.');
  const markDisabled = offline ?? (isOpen ? null : 'Only pending or running operations can be marked.');
  const cancelDisabled =
    offline ??
    (status === 'pending'
      ? null
      : status === 'running'
        ? 'The operation is running.'
        : 'Only pending operations can be canceled.');
  return {
    retry,
    canRetryNow,
    disabled: { retry: retryDisabled, mark: markDisabled, cancel: cancelDisabled },
  };
}

function OperationView({
  workspaceId,
  operation,
  provider,
  keysOff,
  view,
  onView,
  onClose,
}: DetailProps & { readonly operation: Operation }): ReactElement {
  const [asking, setAsking] = useState<Asking | null>(null);
  const actions = useOperationActions(workspaceId, operation, provider);
  const { retry, disabled } = actions;
  useKeys(
    keysOff
      ? {}
      : {
          r: () => disabled.retry === null && retry.mutate(),
          a: () => disabled.mark === null && setAsking('sent'),
        },
  );
  const path = operation.path ?? '';
  return (
    <>
      <OperationHead operation={operation} onClose={onClose} />
      <ReadingRegion className="detail-body item-body" name={`About ${operation.opId}`}>
        <PendingReason operation={operation} provider={provider} />
        {retry.isError ? <p className="hint bad">{describeError(retry.error)}</p> : null}
        <OperationPreview workspaceId={workspaceId} operation={operation} view={view} onView={onView} />
        <Attempts workspaceId={workspaceId} operation={operation} />
        {operation.action === 'file_delete' ? null : (
          <p>
            <Link href={filesHref(workspaceId, path, 'file')}>Show the file</Link>
          </p>
        )}
      </ReadingRegion>
      <OperationFoot operation={operation} actions={actions} keysOff={keysOff} onAsk={setAsking} />
      {asking === 'sent' ? (
        <MarkSentDialog workspaceId={workspaceId} operation={operation} onClose={() => setAsking(null)} />
      ) : asking === 'failed' ? (
        <MarkFailedDialog workspaceId={workspaceId} operation={operation} onClose={() => setAsking(null)} />
      ) : asking === 'cancel' ? (
        <CancelDialog workspaceId={workspaceId} operation={operation} onClose={() => setAsking(null)} />
      ) : null}
    </>
  );
}

function OperationHead({
  operation,
  onClose,
}: {
  readonly operation: Operation;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <DetailHead
      title={<PathText path={operation.path ?? ''} />}
      side={<Status {...operationStatus(operation)} pill />}
      facts={
        <>
          <Identifier text={operation.opId} what="the operation id" />
          <span className="mono">
            {operation.revision} → {operation.provider ?? 'no provider'}
          </span>
          <span>
            created <Time at={operation.createdAt} as="ago" />
          </span>
          {operation.correlationId === undefined ? null : (
            <span className="row">
              correlation <Identifier text={operation.correlationId} what="the correlation id" />
            </span>
          )}
        </>
      }
      onClose={onClose}
    />
  );
}

function OperationFoot({
  operation,
  actions: { retry, canRetryNow, disabled },
  keysOff,
  onAsk,
}: {
  readonly operation: Operation;
  readonly actions: ReturnType<typeof useOperationActions>;
  readonly keysOff: boolean;
  readonly onAsk: (asking: Asking) => void;
}): ReactElement {
  return (
    <div className="detail-foot">
      <Button
        kind={operation.status === 'dead_lettered' ? 'primary' : 'plain'}
        icon="replay"
        {...(keysOff ? {} : { shortcut: 'R' })}
        disabledReason={disabled.retry}
        onClick={() => retry.mutate()}
      >
        {canRetryNow ? 'Retry now' : 'Retry'}
      </Button>
      <Button
        {...(keysOff ? {} : { shortcut: 'A' })}
        disabledReason={disabled.mark}
        onClick={() => onAsk('sent')}
      >
        Mark sent…
      </Button>
      <Button disabledReason={disabled.mark} onClick={() => onAsk('failed')}>
        Mark failed…
      </Button>
      <Button kind="ghost" icon="canceled" disabledReason={disabled.cancel} onClick={() => onAsk('cancel')}>
        Cancel operation
      </Button>
    </div>
  );
}

/** Why the operation is not sent now: a failed attempt, or a paused provider. */
function PendingReason({
  operation,
  provider,
}: {
  readonly operation: Operation;
  readonly provider: Provider | null;
}): ReactElement | null {
  const path = <PathText path={operation.path ?? ''} />;
  const name = operation.provider ?? 'the provider';
  if (operation.status === 'dead_lettered') {
    return (
      <ErrorBlock
        tone="bad"
        cause={causeOf(operation.lastError, name) ?? 'No reason given.'}
        path={path}
        next="Retry to send the current file."
        retry={`No automatic retry after ${plural(operation.attemptCount, 'failed attempt')}.`}
      />
    );
  }
  if (operation.status === 'pending' && provider?.state === 'paused') {
    return (
      <ErrorBlock
        tone="warn"
        cause={`Sending to ${name} is paused.`}
        path={path}
        next="Resume the provider in the list. Waiting operations are kept."
        retry="No automatic retry while paused."
      />
    );
  }
  if (isRetrying(operation)) {
    return (
      <ErrorBlock
        tone="warn"
        cause={causeOf(operation.lastError, name) ?? `${name} rejected the operation.`}
        path={path}
        next={
          provider?.kind === 'http'
            ? 'Wait for the next attempt, or retry now.'
            : 'Wait for the next attempt.'
        }
        retry={<RetryAt at={nextAttemptOf(operation, provider)} otherwise="Retries automatically." />}
      />
    );
  }
  return null;
}

/** Messages of the agent call the provider "it". */
function causeOf(error: string | null | undefined, provider: string): string | null {
  if (error == null || error === '') return null;
  const named = error.replace(/^it /, `${provider} `);
  return /[.!?]$/.test(named) ? named : `${named}.`;
}
