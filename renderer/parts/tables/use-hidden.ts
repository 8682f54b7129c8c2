// Ids of rows that an action which can still be undone has hidden.
import { useState } from 'react';

export function useHidden(): {
  readonly hidden: ReadonlySet<string>;
  readonly hide: (id: string) => void;
  readonly show: (id: string) => void;
} {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  return {
    hidden,
    hide: (id) => setHidden((before) => new Set(before).add(id)),
    show: (id) => setHidden((before) => new Set([...before].filter((each) => each !== id))),
  };
}
