// The head of a section: title, summary, actions.
import type { ReactElement, ReactNode } from 'react';

export function SectionHead({
  title,
  about,
  children,
}: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children?: ReactNode;
}): ReactElement {
  return (
    <div className="section-head">
      <h1>{title}</h1>
      {about === undefined ? null : <span className="soft">{about}</span>}
      {children === undefined ? null : <span className="end row">{children}</span>}
    </div>
  );
}
