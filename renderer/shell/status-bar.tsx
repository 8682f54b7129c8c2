// The status bar: API address, event stream, file watching, last proof, version.
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { agentUrl } from '../api/desktop.ts';
import { useObservable } from '../api/observable.ts';
import { useLink, useServices } from '../api/services.ts';
import type { StatusView } from '../model/mirror/mirror-view.ts';
import { proofSummary } from '../model/mirror/proof-view.ts';
import { watchView } from '../model/mirror/watch-view.ts';
import { Identifier } from '../parts/buttons/copy.tsx';
import { AnswerLine, LastAnswers } from '../parts/feedback/answer-line.tsx';
import { answers } from '../parts/feedback/answers.ts';
import { Status } from '../parts/feedback/status.tsx';
import { Time } from '../parts/feedback/time.tsx';

/** The answer to the last action takes its place for a while, so that it covers nothing. */
export function StatusBar(): ReactElement {
  const isAnswering = useObservable(answers).shown !== null;
  return (
    <footer className={isAnswering ? 'status-bar answering' : 'status-bar'}>
      <AnswerLine />
      {isAnswering ? null : <StatusItems />}
    </footer>
  );
}

function StatusItems(): ReactElement {
  const { live } = useServices();
  const feed = useObservable(live.state);
  const { phase, status, lastAnswerAtMs } = useLink();
  const offline = phase === 'offline';
  const mirrors = status?.mirrors ?? [];
  const proof = status === null ? null : proofSummary(status.mirrors);
  return (
    <>
      <span>
        API{' '}
        <Identifier
          text={status?.url ?? agentUrl()}
          shown={(status?.url ?? agentUrl()).replace(/^https?:\/\//, '')}
          what="the API address"
        />
      </span>
      {offline && lastAnswerAtMs !== null ? (
        <span>
          no response since <Time at={lastAnswerAtMs} as="clock" />
        </span>
      ) : null}
      <span className="when-room">
        <Status {...(offline ? notConnected : feedViews[feed])} />
      </span>
      {mirrors.length === 0 ? null : (
        <span className="when-room">
          <Status {...watchView(mirrors, offline)} />
        </span>
      )}
      {status?.lostTails === undefined ? null : <LostEvents lostTails={status.lostTails} />}
      <span className="end" />
      {proof === null || offline ? null : (
        <span className="when-room row">
          <Status {...proof.view} />
          {proof.provedAt === null ? null : <Time at={proof.provedAt} as="clock" />}
        </span>
      )}
      {status === null ? null : <span className="when-room">{status.version}</span>}
      <LastAnswers />
    </>
  );
}

/** An alarm of a hub: shown also where there is little room. */
function LostEvents({ lostTails }: { readonly lostTails: readonly { readonly at: string }[] }): ReactElement {
  const newest = lostTails.at(-1);
  return (
    <span className="row">
      <Status kind="failed" word="The database lost changes" />
      {newest === undefined ? null : <Time at={newest.at} as="ago" />}
      <Link href="/settings/diagnostics">What to do</Link>
    </span>
  );
}

const notConnected: StatusView = { kind: 'offline', word: 'No live events' };
const feedViews: Record<'connecting' | 'live' | 'polling', StatusView> = {
  live: { kind: 'ok', word: 'Live events' },
  polling: { kind: 'warn', word: 'Asks for events every 5 s' },
  connecting: { kind: 'waiting', word: 'Connecting to events' },
};
