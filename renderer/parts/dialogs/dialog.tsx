// A modal dialog: traps the focus, closes with Esc, restores the focus.
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactElement, ReactNode } from 'react';

export function Dialog({
  title,
  children,
  onClose,
  wide = false,
  plain = false,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** The finder: the title is for screen readers only, the position near the top. */
  readonly plain?: boolean;
}): ReactElement {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={`dialog${wide ? ' wide' : ''}${plain ? ' finder' : ''}`}>
          <Base.Title className={plain ? 'reader-only' : 'dialog-title'}>{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
