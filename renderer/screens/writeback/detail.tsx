// One item: how it stands, what will be sent, what was tried, and what can be done with it.
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import { NotFoundError } from '../../../sdk/index.ts';
import type { Operation } from '../../../server/contract/operations.ts';
import type { Provider } from '../../../server/contract/providers.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { useKeys } from '../../keys.ts';
import { filesHref } from '../../location/app-location.ts';
import { isRetrying, nextAttemptOf, operationStatus } from '../../model/outbound/outbound-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { announce } from '../../parts/feedback/announcer.tsx';
import { ErrorBlock, RetryAt } from '../../parts/feedback/error-block.tsx';
import { LoadError } from '../../parts/feedback/failed-reading.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { DetailHead } from '../../parts/tables/detail-head.tsx';
import { Attempts } from './attempts.tsx';
import { CancelDialog, MarkFailedDialog, MarkSentDialog } from './operation-dialogs.tsx';
import { OperationPreview } from './operation-preview.tsx';

interface DetailProps {
  readonly workspaceId: string;
  /** null: nothing is selected. */
  readonly opId: string | null;
  /** As the list has it; absent: the list does not show it, and it is read by itself. */
  readonly listed: Operation | undefined;
  readonly provider: Provider | null;
  /** While rows are selected the keys act on these. */
  readonly keysOff: boolean;
  readonly view: string;
  readonly onView: (view: 'changes' | 'file' | 'request') => void;
  readonly onClose: () => void;
}

export function WritebackDetail(props: DetailProps): ReactElement {
  return (
    <section className="pane detail" aria-label="Item">
      {props.opId === null ? (
        <div className="empty unselected">
          <p>No item is selected. J and K, or the arrows, move through the list.</p>
        </div>
      ) : (
        <SelectedOperation {...props} opId={props.opId} />
      )}
    </section>
  );
}

function SelectedOperation(props: DetailProps & { readonly opId: string }): ReactElement {
  const { workspaceId, opId, listed, onClose } = props;
  const { client } = useServices();
  // Done or canceled ones may not be in the list.
  const query = useQuery({
    queryKey: ['outbound', workspaceId, 'operation', opId],
    queryFn: async () => await client.getOperation(workspaceId, opId),
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
            <h2>There is no operation of this id</h2>
            <p>It belongs to another workspace, was made too long ago, or the link is mistyped.</p>
          </div>
        ) : (
          <div className="binary">
            <LoadError
              error={query.error}
              path={opId}
              retry="By itself, when the agent answers again."
              onAgain={() => void query.refetch()}
            />
          </div>
        )
      ) : null}
    </>
  );
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
  const { client, queries } = useServices();
  const offline = useDisabledReason();
  const [asking, setAsking] = useState<'sent' | 'failed' | 'not-send' | null>(null);
  const { opId, status } = operation;
  const isOpen = status === 'pending' || status === 'running';
  // What waits for its next try need not wait for it.
  const waits = isRetrying(operation) && status === 'pending' && provider?.kind === 'http';
  const retry = useMutation({
    mutationFn: async () =>
      waits
        ? await client.sendWritebackNow(workspaceId, opId)
        : await client.replayOperation(workspaceId, opId),
    onSuccess: () => announce(waits ? 'It is sent now.' : 'It waits to be sent again.'),
    onError: (error) => announce(describeError(error)),
    onSettled: async () => await queries.invalidateQueries({ queryKey: ['outbound', workspaceId] }),
  });
  const cannotRetry =
    offline ??
    (retry.isPending
      ? 'It is being queued.'
      : status === 'dead_lettered' || (waits && provider.state !== 'paused')
        ? null
        : isOpen
          ? 'It is sent by itself. Only a dead-lettered item can be retried.'
          : 'It is over. Only a dead-lettered item can be retried.');
  const cannotMark = offline ?? (isOpen ? null : 'Only an item that is pending or running can be marked.');
  const cannotStop =
    offline ??
    (status === 'pending'
      ? null
      : status === 'running'
        ? 'It is being sent now.'
        : 'Only a pending item can be held back.');
  const ask = (what: typeof asking, reason: string | null): void => {
    if (reason === null) setAsking(what);
  };
  useKeys(
    keysOff
      ? {}
      : {
          r: () => cannotRetry === null && retry.mutate(),
          a: () => ask('sent', cannotMark),
        },
  );
  const path = operation.path ?? '';
  return (
    <>
      <DetailHead
        title={<PathText path={path} />}
        side={<Status {...operationStatus(operation)} pill />}
        facts={
          <>
            <Identifier text={opId} what="the operation’s id" />
            <span className="mono">
              {operation.revision} → {operation.provider ?? 'no provider'}
            </span>
            <span>
              made <Time at={operation.createdAt} as="ago" />
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
      <ReadingRegion className="detail-body item-body" name={`About ${opId}`}>
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
      <div className="detail-foot">
        <Button
          kind={status === 'dead_lettered' ? 'primary' : 'plain'}
          icon="replay"
          {...(keysOff ? {} : { shortcut: 'R' })}
          disabledReason={cannotRetry}
          onClick={() => retry.mutate()}
        >
          {waits ? 'Send now' : 'Retry'}
        </Button>
        <Button
          {...(keysOff ? {} : { shortcut: 'A' })}
          disabledReason={cannotMark}
          onClick={() => setAsking('sent')}
        >
          Mark sent…
        </Button>
        <Button disabledReason={cannotMark} onClick={() => setAsking('failed')}>
          Mark failed…
        </Button>
        <Button
          kind="ghost"
          icon="canceled"
          disabledReason={cannotStop}
          onClick={() => setAsking('not-send')}
        >
          Do not send
        </Button>
      </div>
      {asking === 'sent' ? (
        <MarkSentDialog workspaceId={workspaceId} operation={operation} onClose={() => setAsking(null)} />
      ) : asking === 'failed' ? (
        <MarkFailedDialog workspaceId={workspaceId} operation={operation} onClose={() => setAsking(null)} />
      ) : asking === 'not-send' ? (
        <CancelDialog workspaceId={workspaceId} operation={operation} onClose={() => setAsking(null)} />
      ) : null}
    </>
  );
}

/** Why it does not go out now: the item's own trouble, or its provider's pause. */
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
        cause={causeOf(operation.lastError, name) ?? 'Nobody said why.'}
        path={path}
        next="Retry sends the file as it is now."
        retry={`None by itself: after ${operation.attemptCount} ${operation.attemptCount === 1 ? 'try' : 'tries'} it was given up.`}
      />
    );
  }
  if (operation.status === 'pending' && provider?.state === 'paused') {
    return (
      <ErrorBlock
        tone="warn"
        cause={`Sending to ${name} is paused.`}
        path={path}
        next="Resume it in the list. Nothing is lost by waiting."
        retry="None until it is resumed."
      />
    );
  }
  if (isRetrying(operation)) {
    return (
      <ErrorBlock
        tone="warn"
        cause={causeOf(operation.lastError, name) ?? `${name} did not take it.`}
        path={path}
        next={provider?.kind === 'http' ? 'Wait for the next try, or send it now.' : 'Wait for the next try.'}
        retry={<RetryAt at={nextAttemptOf(operation, provider)} otherwise="By itself." />}
      />
    );
  }
  return null;
}

/** The provider's own words name it as "it". */
function causeOf(error: string | null | undefined, provider: string): string | null {
  if (error == null || error === '') return null;
  const named = error.replace(/^it /, `${provider} `);
  return /[.!?]$/.test(named) ? named : `${named}.`;
}
