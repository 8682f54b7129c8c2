// What stands above a letter, and what stands in place of its cause once it is no dead letter any more.
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { DeadLetterDetail } from '../../../sdk/index.ts';
import { filesHref } from '../../location/app-location.ts';
import { deadLetterStatus } from '../../model/inbound/dead-letter-view.ts';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { RetryAt } from '../../parts/feedback/error-block.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { DetailHead } from '../../parts/tables/detail-head.tsx';

export function DeadLetterHead({
  letter,
  path,
  onClose,
}: {
  readonly letter: DeadLetterDetail;
  readonly path: string | null;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <DetailHead
      title={path === null ? letter.deliveryId : <PathText path={path} />}
      side={<Status {...deadLetterStatus(letter)} pill />}
      facts={
        <>
          <Identifier text={letter.envelopeId} what="the id" />
          <span>
            {letter.provider}
            {typeof letter.payload?.event_type === 'string' ? ` · ${letter.payload.event_type}` : ''}
          </span>
          <Identifier text={letter.deliveryId} what="the delivery id" />
        </>
      }
      onClose={onClose}
    />
  );
}

/** It is no dead letter any more: what became of it. */
export function ResultNote({
  letter,
  path,
  workspaceId,
}: {
  readonly letter: DeadLetterDetail;
  readonly path: string | null;
  readonly workspaceId: string;
}): ReactElement {
  const { word } = deadLetterStatus(letter);
  if (letter.state === 'pending') {
    return (
      <p className="soft" role="status">
        It is being tried. <RetryAt at={letter.nextAttemptAt ?? null} otherwise="" />
      </p>
    );
  }
  return (
    <p className="soft" role="status">
      {word}. It is no dead letter any more.{' '}
      {letter.outcome === 'applied' && path !== null ? (
        <Link href={filesHref(workspaceId, path, 'file')}>Open the file</Link>
      ) : null}
    </p>
  );
}
