// A path that is truncated in its folders before its file name; the tooltip has all of it. Found characters are highlighted.
import type { ReactElement } from 'react';
import { nameOf } from '../../model/files/path.ts';
import { shifted, type TextRange } from '../../model/text/text-parts.ts';
import { MarkedText } from './marked-text.tsx';

export function PathText({
  path,
  ranges = [],
}: {
  readonly path: string;
  /** Found characters. */
  readonly ranges?: readonly TextRange[];
}): ReactElement {
  const name = nameOf(path);
  const nameStart = path.length - name.length;
  return (
    <span className="path" title={path}>
      <span className="path-folder">
        <MarkedText text={path.slice(0, nameStart)} ranges={ranges} />
      </span>
      <span className="path-name">
        <MarkedText text={name} ranges={shifted(ranges, -nameStart)} />
      </span>
    </span>
  );
}
