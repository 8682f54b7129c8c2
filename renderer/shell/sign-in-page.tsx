// The page without a token: how to sign in, and why a sign-in failed.
import type { ReactElement } from 'react';
import type { SessionState } from '../api/session.ts';
import { CopyButton } from '../parts/buttons/copy.tsx';
import { Announcer } from '../parts/feedback/announcer.tsx';
import { Icon } from '../parts/feedback/icon.tsx';

type SignedOut = Extract<SessionState, { kind: 'signed-out' }>;

const texts: Record<SignedOut['reason'], { readonly title: string; readonly text: string }> = {
  none: {
    title: 'Open Mooring from your terminal',
    text: 'This page shows your files, so it requires a sign-in. The command creates a sign-in link.',
  },
  'link-used': {
    title: 'Sign-in link no longer valid',
    text: 'A sign-in link can be used once, within 60 seconds. The command creates a new one.',
  },
  ended: {
    title: 'Signed out',
    text: 'You signed out of this browser. The command creates a new sign-in link.',
  },
  expired: {
    title: 'Signed out',
    text: 'Your session has expired or was revoked. Mirrors keep running.',
  },
  unreachable: {
    title: 'Agent not responding',
    text: 'Start it with “mooring serve”, then create a new sign-in link. Edits in your folders are safe and sync later.',
  },
};

export function SignInPage({ state }: { readonly state: SessionState }): ReactElement | null {
  if (state.kind !== 'signed-out') return null;
  const { title, text } = texts[state.reason];
  return (
    <main className="gate">
      <div className="gate-card">
        <div className="brand">
          <Icon of="mooring" />
          <span>Mooring</span>
        </div>
        <h1>{title}</h1>
        <p>{text}</p>
        <div className="code-line">
          <code className="code">mooring open</code>
          <CopyButton text="mooring open" what="the command" />
        </div>
        <p className="hint">
          In a checkout, run <span className="mono">npm run -s mooring -- open</span>. The option{' '}
          <span className="mono">--print</span> prints the link instead of opening a browser.
        </p>
      </div>
      <Announcer />
    </main>
  );
}
