// What the UI offers follows from what this server has and whether the viewer has the rights of the owner. Both come with the status; until it
// arrives they are those of the last visit of the same session, so that the navigation shows what exists from its first paint.
import { useEffect } from 'react';
import { useLink, useServices } from './services.ts';
import type { Feature } from './viewer.ts';

const storageKey = 'mooring.offer';

export interface Offer {
  readonly features: readonly string[];
  readonly isOwner: boolean;
}

interface StoredOffer extends Offer {
  /** Another user of the same browser has another one. */
  readonly sessionId: string;
}

/** null: not known yet, at the first visit of a session. */
export function useOffer(): Offer | null {
  const { status, viewer } = useLink();
  const sessionId = useSessionId();
  if (status !== null && viewer !== null) return { features: status.features, isOwner: viewer.owner };
  return storedOffer(localStorage.getItem(storageKey), sessionId);
}

/** While it is not known, what an agent has: no address of it is refused. */
export function useHasFeature(feature: Feature): boolean {
  const offer = useOffer();
  return offer === null ? feature !== 'users' : offer.features.includes(feature);
}

/** For the next visit. */
export function useRememberedOffer(): void {
  const { status, viewer } = useLink();
  const sessionId = useSessionId();
  const text =
    status === null || viewer === null
      ? null
      : JSON.stringify({
          sessionId,
          features: status.features,
          isOwner: viewer.owner,
        } satisfies StoredOffer);
  useEffect(() => {
    if (text !== null) localStorage.setItem(storageKey, text);
  }, [text]);
}

/** The next visit will not be signed in. */
export function forgetOffer(): void {
  localStorage.removeItem(storageKey);
}

function useSessionId(): string {
  const state = useServices().session.state.get();
  return state.kind === 'signed-in' ? state.sessionId : '';
}

/** null: `text` is absent, of another session, or of another release. */
function storedOffer(text: string | null, sessionId: string): Offer | null {
  if (text === null) return null;
  try {
    const stored = JSON.parse(text) as Partial<StoredOffer> | null;
    if (stored?.sessionId !== sessionId || !Array.isArray(stored.features)) return null;
    return { features: stored.features, isOwner: stored.isOwner === true };
  } catch {
    return null;
  }
}
