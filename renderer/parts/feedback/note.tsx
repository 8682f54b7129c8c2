// Notes of one paragraph: a hint with an icon, and the failure of an action.
import type { ReactElement, ReactNode } from 'react';
import { describeError } from '../../api/services.ts';
import { Icon, type Meaning } from './icon.tsx';

export function Note({
  icon = 'info',
  children,
}: {
  readonly icon?: Extract<Meaning, 'info' | 'fine' | 'warning'>;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <p className={icon === 'warning' ? 'check-note warn' : 'check-note'}>
      <Icon of={icon} small />
      <span>{children}</span>
    </p>
  );
}

/** `error`: a text, or what a request threw; null: nothing is shown. */
export function FailureText({ error }: { readonly error: unknown }): ReactElement | null {
  if (error === null) return null;
  return (
    <p className="hint bad" role="alert">
      {typeof error === 'string' ? error : describeError(error)}
    </p>
  );
}
