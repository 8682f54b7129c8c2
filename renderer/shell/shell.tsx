// The frame around every screen: top bar, navigation, offline line, status bar, global shortcuts.
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { LinkState } from '../api/agent-link.ts';
import { useLink, useServices } from '../api/services.ts';
import { whenIdle } from '../api/when-idle.ts';
import { useKeys } from '../keys.ts';
import { clock, duration } from '../model/format.ts';
import { Button } from '../parts/buttons/button.tsx';
import { Announcer } from '../parts/feedback/announcer.tsx';
import { Icon } from '../parts/feedback/icon.tsx';
import { useNow } from '../parts/feedback/time.tsx';
import { leaveWideDetail, useWideDetail } from '../parts/tables/wide-detail.tsx';
import { loadScreens } from '../screens.ts';
import { Finder } from './finder.tsx';
import { KeyOverlay } from './key-overlay.tsx';
import { Navigation } from './navigation.tsx';
import { StateAnnouncer } from './state-speaker.tsx';
import { StatusBar } from './status-bar.tsx';
import { TopBar } from './top-bar.tsx';

export function Shell({ children }: { readonly children: ReactNode }): ReactElement {
  const [overlay, setOverlay] = useState<'finder' | 'keys' | null>(null);
  const link = useLink();
  const isWide = useWideDetail();
  const [path] = useLocation();
  const screen = path.split('/', 2)[1];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen
  useEffect(leaveWideDetail, [screen]);
  const isOnline = link.status !== null;
  useEffect(() => {
    if (isOnline) whenIdle(loadScreens);
  }, [isOnline]);
  useKeys({
    'mod+k': () => setOverlay('finder'),
    '?': () => setOverlay('keys'),
  });
  const close = (): void => setOverlay(null);
  return (
    <>
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <div className="shell">
        <TopBar onFind={() => setOverlay('finder')} onKeys={() => setOverlay('keys')} />
        <Navigation />
        <main id="main" tabIndex={-1} className={isWide ? 'wide-detail' : ''}>
          {link.phase === 'offline' || link.refusal !== null ? <OfflineLine link={link} /> : null}
          {children}
        </main>
        <StatusBar />
      </div>
      {overlay === 'finder' ? <Finder onClose={close} onKeys={() => setOverlay('keys')} /> : null}
      {overlay === 'keys' ? <KeyOverlay onClose={close} /> : null}
      <StateAnnouncer />
      <Announcer />
    </>
  );
}

function OfflineLine({ link }: { readonly link: LinkState }): ReactElement {
  const { link: agent } = useServices();
  const now = useNow();
  const leftMs = (link.nextAttemptAtMs ?? now) - now;
  const shown =
    link.lastAnswerAtMs === null ? 'No data yet.' : `Showing data from ${clock(link.lastAnswerAtMs)}.`;
  return (
    <div className="banner">
      <Icon of={link.refusal === null ? 'offline' : 'warning'} />
      <span>
        <b>{link.refusal === null ? 'Agent not responding.' : `Agent error: ${link.refusal}`}</b> {shown}{' '}
        Edits in your folders are safe and sync later.
      </span>
      <span className="end faint">{leftMs > 0 ? `Next attempt in ${duration(leftMs)}` : 'Connecting…'}</span>
      <Button onClick={() => agent.tryNow()}>Retry now</Button>
    </div>
  );
}
