// The ref of a field that opens: it takes the focus at once, so that no letter is lost or meant for the page, and gives it back
// when it closes.
import { readingRegionId } from '../feedback/reading-region.tsx';

export function takesFocus(field: HTMLElement | null): (() => void) | undefined {
  if (field === null) return undefined;
  const before = document.activeElement;
  field.focus();
  return () => {
    // Whoever has moved on already stays there.
    if (document.activeElement !== field) return;
    queueMicrotask(() => {
      if (before instanceof HTMLElement && before !== document.body) before.focus();
      // It is gone, or hidden where the window became narrow.
      if (before !== document.activeElement || before === document.body)
        document.getElementById(readingRegionId)?.focus();
    });
  };
}
