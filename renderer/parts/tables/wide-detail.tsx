// The detail over the whole sheet: `Z`, or its button. J and K still move through the list, which is not seen meanwhile.
import type { ReactElement } from 'react';
import { Observable, useObservable } from '../../api/observable.ts';
import { useKeys } from '../../keys.ts';
import { Button } from '../buttons/button.tsx';

const wide = new Observable(false);

/** The class of the sheet. */
export function useWideDetail(): boolean {
  return useObservable(wide);
}

/** Another screen begins with its list. */
export function leaveWideDetail(): void {
  wide.set(false);
}

export function WideButton(): ReactElement {
  const isWide = useObservable(wide);
  const toggle = (): void => wide.set(!isWide);
  useKeys({ z: toggle });
  return (
    <span className="wide-button">
      <Button
        kind="ghost"
        icon={isWide ? 'narrow' : 'widen'}
        label={isWide ? 'Show the list' : 'Use the whole width'}
        shortcut="Z"
        onClick={toggle}
      />
    </span>
  );
}
