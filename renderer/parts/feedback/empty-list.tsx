// A list without rows: the icon of what would be in it, one sentence, and how to get it (design, "Empty, loading, error").
import type { ReactElement, ReactNode } from 'react';
import { Icon, type Meaning } from './icon.tsx';

export function EmptyList({
  icon,
  title,
  isAlert = false,
  children,
}: {
  readonly icon: Meaning;
  readonly title: ReactNode;
  /** Read aloud when it appears. */
  readonly isAlert?: boolean;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="empty whole" role={isAlert ? 'alert' : undefined}>
      <Icon of={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}
