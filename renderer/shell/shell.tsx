// The frame around every screen: top bar, navigation, offline line, status bar, global shortcuts.
import { type ReactElement, type ReactNode, useState } from 'react';
import { useLink } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import { Announcer } from '../parts/feedback/announcer.tsx';
import { UndoToast } from '../parts/feedback/undo.tsx';
import { Finder } from './finder.tsx';
import { KeyOverlay } from './key-overlay.tsx';
import { Navigation } from './navigation.tsx';
import { OfflineLine } from './offline-line.tsx';
import { StateAnnouncer } from './state-speaker.tsx';
import { StatusBar } from './status-bar.tsx';
import { TopBar } from './top-bar.tsx';

export function Shell({ children }: { readonly children: ReactNode }): ReactElement {
  const [overlay, setOverlay] = useState<'finder' | 'keys' | null>(null);
  const link = useLink();
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
        <main id="main" tabIndex={-1}>
          {link.phase === 'offline' || link.refusal !== null ? <OfflineLine link={link} /> : null}
          {children}
        </main>
        <StatusBar />
      </div>
      {overlay === 'finder' ? <Finder onClose={close} onKeys={() => setOverlay('keys')} /> : null}
      {overlay === 'keys' ? <KeyOverlay onClose={close} /> : null}
      <UndoToast />
      <StateAnnouncer />
      <Announcer />
    </>
  );
}
