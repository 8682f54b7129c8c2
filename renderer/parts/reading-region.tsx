// Content that scrolls and that is read: a named stop of the keyboard.
import type { ReactElement, ReactNode, Ref } from 'react';

/** Where Enter in a list goes. */
export const readingRegionId = 'reading';

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
