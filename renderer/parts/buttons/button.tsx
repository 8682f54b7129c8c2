// A button. A disabled one has its reason as tooltip and for screen readers; the shortcut is shown in it.
import type { ReactElement, ReactNode } from 'react';
import { Icon, type Meaning } from '../feedback/icon.tsx';

export interface ButtonProps {
  readonly children?: ReactNode;
  readonly icon?: Meaning;
  /** danger: cannot be undone; opens a confirmation. */
  readonly kind?: 'plain' | 'primary' | 'ghost' | 'danger';
  /** The tooltip; also the accessible name of a button without text. */
  readonly label?: string;
  /** The accessible name where others have the same text; begins with the text. */
  readonly name?: string;
  readonly shortcut?: string;
  /** null or absent: enabled. */
  readonly disabledReason?: string | null | undefined;
  readonly type?: 'button' | 'submit';
  readonly onClick?: () => void;
}

export function Button({
  children,
  icon,
  kind = 'plain',
  label,
  name,
  shortcut,
  disabledReason = null,
  type = 'button',
  onClick,
}: ButtonProps): ReactElement {
  const isDisabled = disabledReason !== null;
  const tip =
    disabledReason ?? (label !== undefined && shortcut !== undefined ? `${label} (${shortcut})` : label);
  const ariaName = name ?? (children === undefined ? label : undefined);
  return (
    <button
      type={type}
      className={`button ${kind}${children === undefined ? ' square' : ''}`}
      // Not `disabled`: the reason must be reachable by keyboard.
      aria-disabled={isDisabled || undefined}
      {...(ariaName === undefined ? {} : { 'aria-label': ariaName })}
      {...(tip === undefined ? {} : { title: tip })}
      onClick={(event) => {
        if (isDisabled) event.preventDefault();
        else onClick?.();
      }}
    >
      {icon === undefined ? null : <Icon of={icon} small />}
      {children}
      {shortcut === undefined || children === undefined ? null : (
        <span className="key" aria-hidden="true">
          {shortcut}
        </span>
      )}
    </button>
  );
}
