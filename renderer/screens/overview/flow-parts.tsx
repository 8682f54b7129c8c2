// Parts of the data flow: a place with its figure, and between two places what waits in each direction and what failed.
import type { ReactElement, ReactNode } from 'react';
import { Link } from 'wouter';
import type { StatusKind } from '../../model/mirror/mirror-view.ts';
import { Icon, type Meaning } from '../../parts/feedback/icon.tsx';
import { Status } from '../../parts/feedback/status.tsx';

export function FlowNode({
  icon,
  name,
  figure,
  children,
}: {
  readonly icon: Meaning;
  readonly name: string;
  readonly figure: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="flow-node">
      <span className="flow-icon">
        <Icon of={icon} />
      </span>
      <h3>{name}</h3>
      <span className="flow-figure">{figure}</span>
      <div className="flow-state">{children}</div>
    </div>
  );
}

export function FlowLink({ children }: { readonly children: ReactNode }): ReactElement {
  return <div className="flow-link">{children}</div>;
}

/** Down, or `back` up. */
export function Direction({
  idle,
  back = false,
  children,
}: {
  readonly idle: boolean;
  readonly back?: boolean;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <span className={idle ? 'direction' : 'direction moving'}>
      <Icon of={back ? 'upwards' : 'downwards'} small />
      <span>{children}</span>
    </span>
  );
}

/** Nothing without failures. */
export function FailureLink({
  failures,
  text,
  href,
  kind = 'failed',
}: {
  readonly failures: number;
  readonly text: string;
  readonly href: string;
  readonly kind?: StatusKind;
}): ReactElement | null {
  if (failures === 0) return null;
  return (
    <Link className="flow-failure" href={href}>
      <Status kind={kind} word={text} />
    </Link>
  );
}
