// Shortcuts between the list of a screen and its detail.
import type { KeyHandlers } from '../../keys.ts';

/**
 * The list that the open detail covers, in a narrow window or at full width (wide-detail.tsx); null: both are visible. It cannot have the
 * focus.
 */
function coveredList(): Element | null {
  const list = document.querySelector('.with-detail > .list .rail');
  return list === null || list.checkVisibility() ? null : list;
}

/** `enter` focuses the list and selects its first row if none is selected. A covered list gets the key. */
export function keysIntoList(enter: () => void): KeyHandlers {
  const handle = (event: KeyboardEvent): void => {
    const list = coveredList();
    if (list === null || list === event.target) enter();
    else
      list.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, bubbles: true, cancelable: true }));
  };
  return { j: handle, k: handle, ArrowDown: handle, ArrowUp: handle };
}

export function isListCovered(): boolean {
  return coveredList() !== null;
}

/** Escape with an open detail: in the list, or in a detail that covers it. Elsewhere Escape moves the focus to the list. */
export function closesDetail(): boolean {
  return isListCovered() || document.activeElement?.closest('.list') != null;
}
