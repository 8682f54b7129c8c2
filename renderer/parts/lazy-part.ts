// A part of the page whose code is loaded when it is shown first, or before.
import { type ComponentType, createElement, lazy, useState } from 'react';

export interface LazyPart<Props extends object> {
  readonly Part: ComponentType<Props>;
  /** Loads the code. What fails here fails again where it is shown (parts/feedback/part-boundary). */
  readonly preload: () => void;
}

/** Each begins the load of a part that failed anew. */
const failed = new Set<() => void>();

/** Parts that failed are loaded again when they are shown next: React keeps a failure. */
export function loadFailedPartsAgain(): void {
  for (const again of failed) again();
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
      failed.add(again);
      throw error;
    }
  }
  const again = (): void => {
    Loading = lazy(loadOnce);
  };
  return {
    /** Once loaded it is shown in the same frame as any other, so that no key that follows is lost. */
    Part(props) {
      // Another component would begin anew.
      const [component] = useState<{ readonly of: ComponentType<Props> }>(() => ({
        of: loaded ?? (Loading as ComponentType<Props>),
      }));
      return createElement(component.of, props);
    },
    preload: () => void loadOnce().catch(() => undefined),
  };
}
