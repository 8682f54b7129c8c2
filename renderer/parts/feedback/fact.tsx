// A line of a list of facts (`<dl className="facts">`).
import type { ReactElement, ReactNode } from 'react';

export function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
