// The page without a token: how to sign in, why a sign-in failed, and whether an invite link may replace who is signed in.
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { MooringClient } from '../../sdk/index.ts';
import type { SignInMethods } from '../../server/contract/agent.ts';
import { agentUrl } from '../api/desktop.ts';
import { forgetOffer } from '../api/offer.ts';
import { leaveForProvider } from '../api/openid.ts';
import type { SessionState } from '../api/session.ts';
import { Button } from '../parts/buttons/button.tsx';
import { CopyButton } from '../parts/buttons/copy.tsx';
import { Announcer } from '../parts/feedback/announcer.tsx';
import { Icon } from '../parts/feedback/icon.tsx';
import { FailureText } from '../parts/feedback/note.tsx';

const methodsTimeoutMs = 2_000;

type SignedOut = Extract<SessionState, { kind: 'signed-out' }>;
type Asking = Extract<SessionState, { kind: 'asking' }>;

interface Texts {
  readonly title: string;
  readonly text: string;
}

const texts: Record<SignedOut['reason'], Texts> = {
  none: {
    title: 'Open Mooring from your terminal',
    text: 'This page shows your files, so it requires a sign-in. The command creates a sign-in link.',
  },
  'link-used': {
    title: 'Sign-in link no longer valid',
    text: 'A sign-in link can be used once, within 60 seconds. The command creates a new one.',
  },
  'invite-used': {
    title: 'Invite link no longer valid',
    text: 'An invite link can be used once, within seven days, and a newer link replaces it.',
  },
  refused: { title: 'Not signed in', text: 'The sign-in was refused.' },
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

/** On a hub, whose users have no terminal there. */
const hubTexts: Partial<Record<SignedOut['reason'], Texts>> = {
  none: {
    title: 'Sign in to this hub',
    text: 'Open the invite link that an owner has sent to you. It signs this browser in, once.',
  },
  ended: { title: 'Signed out', text: 'You signed out of this browser. Ask an owner for a new invite link.' },
  expired: {
    title: 'Signed out',
    text: 'Your session has expired or was ended. Ask an owner for a new invite link.',
  },
  'invite-used': {
    title: 'Invite link no longer valid',
    text: 'An invite link can be used once, within seven days, and a newer link replaces it. Ask an owner for a new one.',
  },
  unreachable: {
    title: 'Hub not responding',
    text: 'This page signs in again when the hub responds.',
  },
};

/** On a hub with an OpenID provider. */
const providerTexts: Partial<Record<SignedOut['reason'], Texts>> = {
  none: {
    title: 'Sign in to this hub',
    text: 'Use your account of the provider, or the invite link that an owner has sent to you.',
  },
  ended: { title: 'Signed out', text: 'You signed out of this browser.' },
  expired: { title: 'Signed out', text: 'Your session has expired or was ended.' },
};

export function SignInPage({ state }: { readonly state: SessionState }): ReactElement | null {
  if (state.kind === 'asking') return <AskingPage asking={state} />;
  if (state.kind !== 'signed-out') return null;
  return <SignedOutPage signedOut={state} />;
}

function SignedOutPage({ signedOut }: { readonly signedOut: SignedOut }): ReactElement | null {
  const { reason, refusal } = signedOut;
  const methods = useMethods();
  useEffect(() => {
    if (reason !== 'unreachable') forgetOffer();
  }, [reason]);
  if (methods === undefined) return null;
  const isHub = methods?.invites === true;
  const openId = methods?.openId;
  const { title, text } =
    (openId === undefined ? undefined : providerTexts[reason]) ??
    (isHub ? hubTexts[reason] : undefined) ??
    texts[reason];
  return (
    <Gate title={title}>
      {refusal === null ? <p>{text}</p> : <FailureText error={describeRefusal(refusal)} />}
      {openId === undefined ? null : (
        <ProviderButton {...openId} asksAgain={reason === 'refused' || reason === 'ended'} />
      )}
      {isHub ? (
        <p className="hint">
          The owner of the hub signs in with <span className="mono">mooring open</span> on its machine.
        </p>
      ) : (
        <>
          <div className="code-line">
            <code className="code">mooring open</code>
            <CopyButton text="mooring open" what="the command" />
          </div>
          <p className="hint">
            In a checkout, run <span className="mono">npm run -s mooring -- open</span>. The option{' '}
            <span className="mono">--print</span> prints the link instead of opening a browser.
          </p>
        </>
      )}
    </Gate>
  );
}

function describeRefusal(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`;
}

/** The provider returns to one address alone: at another one the page opens that. */
function ProviderButton({
  name,
  url,
  asksAgain,
}: NonNullable<SignInMethods['openId']> & { readonly asksAgain: boolean }): ReactElement {
  const [state, setState] = useState<'ready' | 'leaving' | { readonly failed: unknown }>('ready');
  const begin = (): void => {
    setState('leaving');
    leaveForProvider(asksAgain).catch((failed: unknown) => setState({ failed }));
  };
  return (
    <div>
      {location.origin === url ? (
        <Button kind="primary" disabledReason={state === 'leaving' ? 'Opening…' : null} onClick={begin}>
          Sign in with {name}
        </Button>
      ) : (
        <a className="button primary" href={url}>
          Sign in with {name}, at {url.replace(/^https?:\/\//, '')}
        </a>
      )}
      <FailureText error={typeof state === 'object' ? state.failed : null} />
    </div>
  );
}

/** undefined: asked; null: not known, because the agent does not respond. */
function useMethods(): SignInMethods | null | undefined {
  const [methods, setMethods] = useState<SignInMethods | null>();
  useEffect(() => {
    const stop = new AbortController();
    const { signIn } = new MooringClient({ baseUrl: agentUrl(), retry: { retries: 0 } }).agent;
    signIn.methods({ signal: stop.signal, timeoutMs: methodsTimeoutMs }).then(setMethods, () => {
      if (!stop.signal.aborted) setMethods(null);
    });
    return () => stop.abort();
  }, []);
  return methods;
}

function AskingPage({ asking }: { readonly asking: Asking }): ReactElement {
  const { invited, current, accept, decline } = asking;
  return (
    <Gate title={`Sign in as ${invited}?`}>
      <p>
        This browser is signed in as {current}. The invite link signs it in as {invited} instead, in all tabs.
      </p>
      <div className="row">
        <Button onClick={decline}>Stay {current}</Button>
        <Button kind="primary" onClick={accept}>
          Sign in as {invited}
        </Button>
      </div>
    </Gate>
  );
}

function Gate({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <main className="gate">
      <div className="gate-card">
        <div className="brand">
          <Icon of="mooring" />
          <span>Mooring</span>
        </div>
        <h1>{title}</h1>
        {children}
      </div>
      <Announcer />
    </main>
  );
}
