// The detail pane beside a list, and its head: title, state, facts, Close; and Back where the pane covers the list.
import type { ReactElement, ReactNode } from 'react';
import { Button } from '../buttons/button.tsx';
import { type RowAction, RowMenu } from '../buttons/row-menu.tsx';
import { PaneGrip, type Panes } from './use-panes.tsx';
import { WideButton } from './wide-detail.tsx';

export function DetailHead({
  title,
  titleClass = 'path-heading',
  before = null,
  side = null,
  facts,
  children = null,
  staysOpen = false,
  menu,
  onClose,
}: {
  readonly title: ReactNode;
  readonly titleClass?: string;
  /** An icon. */
  readonly before?: ReactNode;
  /** Between title and Close: state or view. */
  readonly side?: ReactNode;
  /** Small, in a line below. */
  readonly facts?: ReactNode;
  readonly children?: ReactNode;
  /** A row of the list is always open, so there is Back only. */
  readonly staysOpen?: boolean;
  /** The menu of the row, again. */
  readonly menu?: readonly RowAction[];
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
        <WideButton />
        {menu === undefined ? null : <RowMenu label="More" actions={menu} />}
        {staysOpen ? null : (
          <Button kind="ghost" icon="close" label="Close" shortcut="Esc" onClick={onClose} />
        )}
      </div>
      {facts === undefined ? null : <div className="row wrap facts-line">{facts}</div>}
      {children}
    </div>
  );
}

/** The pane beside a list: the open row, or a hint. */
export function DetailPane({
  label,
  openId,
  hint = 'Use J/K or the arrow keys; press Enter to open.',
  panes,
  children,
}: {
  /** What a row is: `Dead letter`. */
  readonly label: string;
  readonly openId: string | null;
  readonly hint?: string;
  /** Their edge is at the left of this one. */
  readonly panes?: Panes;
  readonly children: (openId: string) => ReactNode;
}): ReactElement {
  return (
    <section className="pane detail" aria-label={label}>
      {panes === undefined ? null : <PaneGrip panes={panes} id="list" />}
      {openId === null ? (
        <div className="empty unselected">
          <p>
            No {label.toLowerCase()} selected. {hint}
          </p>
        </div>
      ) : (
        children(openId)
      )}
    </section>
  );
}
