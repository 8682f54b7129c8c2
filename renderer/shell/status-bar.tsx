// The status bar: API address, event stream, file watching, last proof, version.
import type { ReactElement } from 'react';
import { agentUrl } from '../api/desktop.ts';
import { useObservable } from '../api/observable.ts';
import { useLink, useServices } from '../api/services.ts';
import type { StatusView } from '../model/mirror/mirror-view.ts';
import { proofSummary } from '../model/mirror/proof-view.ts';
import { Identifier } from '../parts/buttons/copy.tsx';
import { Status } from '../parts/feedback/status.tsx';
import { Time } from '../parts/feedback/time.tsx';

export function StatusBar(): ReactElement {
  const { live } = useServices();
  const feed = useObservable(live.state);
  const { phase, status, lastAnswerAtMs } = useLink();
  const offline = phase === 'offline';
  const watches = status?.mirrors.map((mirror) => mirror.watch) ?? [];
  const proof = status === null ? null : proofSummary(status.mirrors);
  return (
    <footer className="status-bar">
      <span>
        API <Identifier text={status?.url ?? agentUrl()} what="the API address" />
      </span>
      {offline && lastAnswerAtMs !== null ? (
        <span>
          no response since <Time at={lastAnswerAtMs} as="clock" />
        </span>
      ) : null}
      <span className="when-room">
        Events <Status {...(offline ? notConnected : feedViews[feed])} />
      </span>
      {watches.length === 0 ? null : (
        <span className="when-room">
          File watching <Status {...watcherView(watches, offline)} />
        </span>
      )}
      {proof === null || offline ? null : (
        <span className="when-room row">
          <Status {...proof.view} />
          {proof.provedAt === null ? null : <Time at={proof.provedAt} as="clock" />}
        </span>
      )}
      {status === null ? null : <span className="end when-room">{status.version}</span>}
    </footer>
  );
}

const notConnected: StatusView = { kind: 'offline', word: 'Offline' };
const feedViews: Record<'connecting' | 'live' | 'polling', StatusView> = {
  live: { kind: 'ok', word: 'Live' },
  polling: { kind: 'warn', word: 'Polling every 5 s' },
  connecting: { kind: 'waiting', word: 'Connecting' },
};

function watcherView(watches: readonly ('events' | 'polling')[], offline: boolean): StatusView {
  if (offline) return { kind: 'offline', word: 'Unknown' };
  const polling = watches.filter((watch) => watch === 'polling').length;
  if (polling === 0) return { kind: 'ok', word: 'Events' };
  return {
    kind: 'warn',
    word: polling === watches.length ? 'Polling' : `Polling in ${polling} of ${watches.length}`,
  };
}
