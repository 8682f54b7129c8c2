// Ref of a field that opens: focuses it immediately, so that no typed letter gets lost, and restores the focus when it closes.
import { readingRegionId } from '../feedback/reading-region.tsx';

export function takesFocus(field: HTMLElement | null): (() => void) | undefined {
  if (field === null) return undefined;
  const before = document.activeElement;
  field.focus();
  return () => {
    // The focus has moved elsewhere already.
    if (document.activeElement !== field) return;
    queueMicrotask(() => {
      if (before instanceof HTMLElement && before !== document.body) before.focus();
      // The previous element is gone, or hidden in a narrow window.
      if (before !== document.activeElement || before === document.body)
        document.getElementById(readingRegionId)?.focus();
    });
  };
}
