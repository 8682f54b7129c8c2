// The head of a dead letter, and the note that replaces its cause after a replay.
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { DeadLetterDetail } from '../../../sdk/index.ts';
import { filesHref } from '../../location/app-location.ts';
import { deadLetterStatus } from '../../model/inbound/dead-letter-view.ts';
import { Identifier } from '../../parts/buttons/copy.tsx';
import type { RowAction } from '../../parts/buttons/row-menu.tsx';
import { RetryAt } from '../../parts/feedback/error-block.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { DetailHead } from '../../parts/tables/detail-head.tsx';

export function DeadLetterHead({
  deadLetter,
  path,
  menu,
  onClose,
}: {
  readonly deadLetter: DeadLetterDetail;
  readonly path: string | null;
  readonly menu: readonly RowAction[];
  readonly onClose: () => void;
}): ReactElement {
  return (
    <DetailHead
      title={path === null ? deadLetter.deliveryId : <PathText path={path} />}
      side={<Status {...deadLetterStatus(deadLetter)} pill />}
      facts={
        <>
          <Identifier text={deadLetter.envelopeId} what="the id" />
          <span>
            {deadLetter.provider}
            {typeof deadLetter.payload?.event_type === 'string' ? ` · ${deadLetter.payload.event_type}` : ''}
          </span>
          <Identifier text={deadLetter.deliveryId} what="the delivery id" />
        </>
      }
      menu={menu}
      onClose={onClose}
    />
  );
}

/** The result of an envelope that is not a dead letter any more. */
export function ResultNote({
  deadLetter,
  path,
  workspaceId,
}: {
  readonly deadLetter: DeadLetterDetail;
  readonly path: string | null;
  readonly workspaceId: string;
}): ReactElement {
  const { word } = deadLetterStatus(deadLetter);
  if (deadLetter.state === 'pending') {
    return (
      <p className="soft" role="status">
        Replaying… <RetryAt at={deadLetter.nextAttemptAt ?? null} otherwise="" />
      </p>
    );
  }
  return (
    <p className="soft" role="status">
      {word}. No longer a dead letter.{' '}
      {deadLetter.outcome === 'applied' && path !== null ? (
        <Link href={filesHref(workspaceId, path, 'file')}>Open file</Link>
      ) : null}
    </p>
  );
}
