// An observable value: connects long-lived objects to React.
import { useSyncExternalStore } from 'react';

export interface ReadonlyObservable<T> {
  get(): T;
  subscribe(listener: () => void): () => void;
}

export class Observable<T> implements ReadonlyObservable<T> {
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

export function useObservable<T>(source: ReadonlyObservable<T>): T {
  return useSyncExternalStore(source.subscribe, source.get);
}
