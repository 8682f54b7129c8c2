// The keys of a page that lead into its list, wherever the focus is.
import type { KeyHandlers } from '../../keys.ts';

/** `enter` puts the focus into the list, and selects its first row when none is. */
export function keysIntoList(enter: () => void): KeyHandlers {
  return { j: enter, k: enter, ArrowDown: enter, ArrowUp: enter };
}
