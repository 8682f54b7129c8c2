// Takes the code of a sign-in link out of the address bar, at the start and when a link is pasted into an open tab. The rest of the page
// never sees that address, and the page stays where it was.

const codeParameter = 'sign-in';

/** The code of the address with which the page was opened; null: none. */
export function takeCode(): string | null {
  const code = codeIn(location.hash);
  if (code !== null) history.replaceState(null, '', location.pathname);
  return code === '' ? null : code;
}

/** Call before other listeners of the address are asked: it runs in the capture phase. Returns the function that ends it. */
export function onPastedLink(listener: (code: string) => void): () => void {
  let shown = location.hash;
  const onMoved = (event: PopStateEvent | HashChangeEvent): void => {
    // A browser sends `popstate`, then `hashchange`; the first one takes the code.
    const newHash = 'newURL' in event && event.newURL !== '' ? new URL(event.newURL).hash : location.hash;
    const code = codeIn(newHash);
    if (code === null) {
      shown = location.hash;
      return;
    }
    event.stopImmediatePropagation();
    if (codeIn(location.hash) === null) return;
    history.replaceState(null, '', shown === '' ? location.pathname : shown);
    if (code !== '') listener(code);
  };
  window.addEventListener('popstate', onMoved, { capture: true });
  window.addEventListener('hashchange', onMoved, { capture: true });
  return () => {
    window.removeEventListener('popstate', onMoved, { capture: true });
    window.removeEventListener('hashchange', onMoved, { capture: true });
  };
}

function codeIn(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get(codeParameter);
}
