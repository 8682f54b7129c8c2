// The head of what is opened beside a list: what it is, how it stands, and its facts. Where it covers the list it leads back.
import type { ReactElement, ReactNode } from 'react';
import { Button } from '../buttons/button.tsx';

export function DetailHead({
  title,
  titleClass = 'path-heading',
  before = null,
  side = null,
  facts,
  children = null,
  onClose,
}: {
  readonly title: ReactNode;
  readonly titleClass?: string;
  /** An icon of what it is. */
  readonly before?: ReactNode;
  /** Between the title and Close: its state, or how it is shown. */
  readonly side?: ReactNode;
  /** Small, in a line below that may wrap. */
  readonly facts?: ReactNode;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <div className="detail-head">
      <div className="row">
        <span className="when-covering">
          <Button kind="ghost" icon="back" label="Back to the list" onClick={onClose} />
        </span>
        {before}
        <h2 className={`grow ${titleClass}`}>{title}</h2>
        {side}
        <Button kind="ghost" icon="close" label="Close" shortcut="Esc" onClick={onClose} />
      </div>
      {facts === undefined ? null : <div className="row wrap facts-line">{facts}</div>}
      {children}
    </div>
  );
}
