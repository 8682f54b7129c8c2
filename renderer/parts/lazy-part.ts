// A part of the page whose code is loaded when the part is first shown, or earlier by a preload.
import { type ComponentType, createElement, lazy, useState } from 'react';

export interface LazyPart<Props extends object> {
  readonly Part: ComponentType<Props>;
  /** Loads the code. A failure is not reported: showing the part loads it again, and an error boundary reports that failure. */
  readonly preload: () => void;
}

/** One callback for each part whose load failed; it discards the failure. */
const failed = new Set<() => void>();

/** React keeps a failed load. Without it the parts are loaded again when they are next shown. */
export function discardFailedLoads(): void {
  for (const discard of failed) discard();
  failed.clear();
}

export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loaded: ComponentType<Props> | null = null;
  let Loading = lazy(loadOnce);
  async function loadOnce(): Promise<{ readonly default: ComponentType<Props> }> {
    try {
      loaded = await load();
      return { default: loaded };
    } catch (error) {
      failed.add(discardFailure);
      throw error;
    }
  }
  const discardFailure = (): void => {
    Loading = lazy(loadOnce);
  };
  return {
    /** Loaded code is shown in the same frame, so that no key press is lost. */
    Part(props) {
      // Another component would lose the state of the part.
      const [component] = useState<{ readonly of: ComponentType<Props> }>(() => ({
        of: loaded ?? (Loading as ComponentType<Props>),
      }));
      return createElement(component.of, props);
    },
    preload: () => void loadOnce().catch(() => undefined),
  };
}
