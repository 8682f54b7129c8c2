// A value that components can watch. The smallest bridge between long-lived objects and React.
import { useSyncExternalStore } from 'react';

export interface Watchable<T> {
  get(): T;
  subscribe(listener: () => void): () => void;
}

export class Observable<T> implements Watchable<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get = (): T => this.#value;

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export function useObservable<T>(source: Watchable<T>): T {
  return useSyncExternalStore(source.subscribe, source.get);
}
