// Takes the secret of a sign-in link or of an invite link out of the address bar, at the start and when a link is pasted into an open tab.
// The rest of the page never sees that address, and the page stays where it was.

/** `sign-in`: of the owner, by `mooring open`. `invite`: of a user of a hub. */
export interface SignInLink {
  readonly kind: 'sign-in' | 'invite';
  readonly secret: string;
}

const kinds = ['sign-in', 'invite'] as const;

/** The link with which the page was opened; null: none. */
export function takeLink(): SignInLink | null {
  const link = linkIn(location.hash);
  if (link !== null) history.replaceState(null, '', location.pathname);
  return link === null || link.secret === '' ? null : link;
}

/** Call before other listeners of the address are asked: it runs in the capture phase. Returns the function that ends it. */
export function onPastedLink(listener: (link: SignInLink) => void): () => void {
  let shown = location.hash;
  const onMoved = (event: PopStateEvent | HashChangeEvent): void => {
    // A browser sends `popstate`, then `hashchange`; the first one takes the link.
    const newHash = 'newURL' in event && event.newURL !== '' ? new URL(event.newURL).hash : location.hash;
    const link = linkIn(newHash);
    if (link === null) {
      shown = location.hash;
      return;
    }
    event.stopImmediatePropagation();
    if (linkIn(location.hash) === null) return;
    history.replaceState(null, '', shown === '' ? location.pathname : shown);
    if (link.secret !== '') listener(link);
  };
  window.addEventListener('popstate', onMoved, { capture: true });
  window.addEventListener('hashchange', onMoved, { capture: true });
  return () => {
    window.removeEventListener('popstate', onMoved, { capture: true });
    window.removeEventListener('hashchange', onMoved, { capture: true });
  };
}

function linkIn(hash: string): SignInLink | null {
  const parameters = new URLSearchParams(hash.slice(1));
  for (const kind of kinds) {
    const secret = parameters.get(kind);
    if (secret !== null) return { kind, secret };
  }
  return null;
}
