// Shortcuts that move the focus into the list of a screen.
import type { KeyHandlers } from '../../keys.ts';

/** The list beside a detail that covers it, see wide-detail.tsx. */
const coveredList = '.wide-detail .with-detail > .list .rail';

/** `enter` focuses the list and selects its first row if none is selected. A covered list cannot have the focus: it gets the key. */
export function keysIntoList(enter: () => void): KeyHandlers {
  const handle = (event: KeyboardEvent): void => {
    const list = document.querySelector(coveredList);
    if (list === null || list === event.target) enter();
    else
      list.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, bubbles: true, cancelable: true }));
  };
  return { j: handle, k: handle, ArrowDown: handle, ArrowUp: handle };
}
