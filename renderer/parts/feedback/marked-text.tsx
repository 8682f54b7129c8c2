// A text whose ranges are highlighted: found words, changed words.
import { Fragment, type ReactElement } from 'react';
import { type TextRange, textParts } from '../../model/text/text-parts.ts';

export function MarkedText({
  text,
  ranges,
}: {
  readonly text: string;
  readonly ranges: readonly TextRange[];
}): ReactElement {
  if (ranges.length === 0) return <>{text}</>;
  return (
    <>
      {textParts(text, ranges).map((part, index) =>
        part.isMarked ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text are never reordered
          <mark key={index}>{part.text}</mark>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text are never reordered
          <Fragment key={index}>{part.text}</Fragment>
        ),
      )}
    </>
  );
}
