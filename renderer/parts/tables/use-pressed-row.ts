// A press on a row acts on that row, also when the rows move before the pointer is released: the browser reports such a click on what contains
// both rows, and no row would get it.
import { type MouseEvent, type PointerEvent, useRef } from 'react';

/** A pointer that moved farther between press and release has left the row. */
const slopPx = 4;
const anyRow = '[role="row"], [role="treeitem"]';

interface Press {
  readonly element: Element;
  readonly x: number;
  readonly y: number;
}

/** The handlers of what contains the rows. */
export function usePressedRow(): {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onClick: (event: MouseEvent) => void;
} {
  const last = useRef<Press | null>(null);
  return {
    onPointerDown: ({ target, clientX, clientY }) => {
      const isOnRow = target instanceof Element && target.closest(anyRow) !== null;
      last.current = isOnRow ? { element: target, x: clientX, y: clientY } : null;
    },
    onClick: ({ target, nativeEvent }) => {
      const pressed = last.current;
      last.current = null;
      // A click that reached a row has been handled by it.
      if (pressed === null || !(target instanceof Element) || target.closest(anyRow) !== null) return;
      if (!pressed.element.isConnected) return;
      if (Math.hypot(nativeEvent.clientX - pressed.x, nativeEvent.clientY - pressed.y) > slopPx) return;
      pressed.element.dispatchEvent(new window.MouseEvent('click', nativeEvent));
    },
  };
}
