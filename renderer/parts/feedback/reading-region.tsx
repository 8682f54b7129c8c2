// A scrolling region for reading: named and in the tab order.
import { type ReactElement, type ReactNode, type Ref, useLayoutEffect } from 'react';

export const readingRegionId = 'reading';

/** The focus at the time of an Enter before the region existed; null: none. */
let focusBefore: Element | null = null;

/** Focuses the region; one that is still loading gets the focus when it mounts, unless the focus has moved. */
export function focusReadingRegion(): void {
  const region = document.getElementById(readingRegionId);
  focusBefore = region === null ? document.activeElement : null;
  region?.focus();
}

export function ReadingRegion({
  name,
  className,
  children,
  ref,
}: {
  readonly name: string;
  readonly className?: string;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLElement>;
}): ReactElement {
  useLayoutEffect(() => {
    if (focusBefore !== null && focusBefore === document.activeElement) focusReadingRegion();
    focusBefore = null;
  }, []);
  return (
    <section
      id={readingRegionId}
      ref={ref}
      className={className}
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling regions must be reachable by keyboard
      tabIndex={0}
    >
      {children}
    </section>
  );
}
