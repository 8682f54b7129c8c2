// The number beside a screen's name; hidden at zero.
import type { ReactElement } from 'react';
import { count } from '../model/format.ts';
import type { ScreenCount } from '../screens.ts';

const shownMax = 999;

export function NavigationCount({
  of,
  value,
}: {
  readonly of: ScreenCount;
  readonly value: number;
}): ReactElement | null {
  if (value === 0) return null;
  return (
    <span className={`nav-count ${of.tone}`}>
      <span className="reader-only">, </span>
      {value > shownMax ? `${shownMax}+` : count(value)}
      <span className="reader-only"> {of.unit}</span>
    </span>
  );
}
