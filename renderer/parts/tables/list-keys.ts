// Shortcuts that move the focus into the list of a screen.
import type { KeyHandlers } from '../../keys.ts';

/** `enter` focuses the list and selects its first row if none is selected. */
export function keysIntoList(enter: () => void): KeyHandlers {
  return { j: enter, k: enter, ArrowDown: enter, ArrowUp: enter };
}
