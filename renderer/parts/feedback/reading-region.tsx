// Content that scrolls and that is read: a named stop of the keyboard.
import { type ReactElement, type ReactNode, type Ref, useLayoutEffect } from 'react';

export const readingRegionId = 'reading';

/** Where the focus stood when Enter came before there was anything to read; null: nobody waits. */
let waitsAt: Element | null = null;

/** Where Enter in a list goes; what is still on its way gets the focus when it is there, unless that went elsewhere meanwhile. */
export function focusReadingRegion(): void {
  const region = document.getElementById(readingRegionId);
  waitsAt = region === null ? document.activeElement : null;
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
    if (waitsAt !== null && waitsAt === document.activeElement) focusReadingRegion();
    waitsAt = null;
  }, []);
  return (
    <section
      id={readingRegionId}
      ref={ref}
      className={className}
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {children}
    </section>
  );
}
