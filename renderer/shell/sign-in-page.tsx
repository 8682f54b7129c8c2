// The page of somebody without a token: how to get in, and what happened to the link.
import type { ReactElement } from 'react';
import type { SessionState } from '../api/session.ts';
import { CopyButton } from '../parts/buttons/copy.tsx';
import { Announcer } from '../parts/feedback/announcer.tsx';
import { Icon } from '../parts/feedback/icon.tsx';

type SignedOut = Extract<SessionState, { kind: 'signed-out' }>;

const texts: Record<SignedOut['reason'], { readonly title: string; readonly text: string }> = {
  none: {
    title: 'Open Mooring from your terminal',
    text: 'This page shows the files of your folders, so it opens only for you. The command makes a link that signs you in.',
  },
  'link-used': {
    title: 'This link no longer works',
    text: 'A link works once, and for 60 seconds. The command makes a new one.',
  },
  ended: {
    title: 'You are signed out',
    text: 'The agent no longer takes this tab’s token: it has ended or was revoked. Your folders go on as before.',
  },
  unreachable: {
    title: 'The agent does not answer',
    text: 'Start it with “mooring serve”, then make a new link. Edits in your folders are safe and will be picked up.',
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
          From a checkout: <span className="mono">npm run -s mooring -- open</span>. With{' '}
          <span className="mono">--print</span> it prints the link instead of opening a browser.
        </p>
      </div>
      <Announcer />
    </main>
  );
}
