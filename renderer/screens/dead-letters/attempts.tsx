// The attempts of a dead letter, newest first, down to its arrival.
import type { ReactElement } from 'react';
import type { DeadLetterDetail } from '../../../sdk/index.ts';
import { clockWithMs } from '../../model/format.ts';
import { deadLetterStatus } from '../../model/inbound/dead-letter-view.ts';
import { causeTitle } from '../../model/inbound/failure-cause.ts';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';

const shownAttemptsMax = 50;

export function Attempts({ deadLetter }: { readonly deadLetter: DeadLetterDetail }): ReactElement {
  const newestFirst = deadLetter.attempts.toReversed().slice(0, shownAttemptsMax);
  const hidden = deadLetter.attempts.length - newestFirst.length;
  return (
    <section className="work-section" aria-labelledby="attempts-title">
      <h3 id="attempts-title">Attempts</h3>
      <ol className="attempts">
        {deadLetter.settledAt === undefined ? null : (
          <li>
            <Icon of="fine" small />
            <span>
              <b>{deadLetterStatus(deadLetter).word}</b> <ClockTime at={deadLetter.settledAt} />
            </span>
          </li>
        )}
        {newestFirst.map((attempt) => (
          <li key={attempt.attempt} className="bad">
            <Icon of="failed" small />
            <span>
              <b>{causeTitle(attempt.cause)}</b> <ClockTime at={attempt.at} />
              <span className="soft"> · attempt {attempt.attempt}</span>
              <span className="attempt-words">{attempt.message}</span>
            </span>
          </li>
        ))}
        {hidden > 0 ? <li className="soft">{hidden} older attempts</li> : null}
        <li>
          <Icon of="webhook" small />
          <span>
            <b>Received</b> <ClockTime at={deadLetter.receivedAt} />
            <span className="soft"> · correlation id </span>
            <span className="mono soft">{deadLetter.correlationId}</span>{' '}
            <CopyButton text={deadLetter.correlationId} what="the correlation id" />
          </span>
        </li>
      </ol>
    </section>
  );
}

function ClockTime({ at }: { readonly at: string }): ReactElement {
  return (
    <time className="soft" dateTime={at} title={new Date(at).toString()}>
      {clockWithMs(Date.parse(at))}
    </time>
  );
}
