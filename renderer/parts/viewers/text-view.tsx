// Text in numbered lines: plain or highlighted, virtual, with marks and a current line.
import { type ReactElement, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { nameOf } from '../../model/files/path.ts';
import { count, plural } from '../../model/format.ts';
import type { TextRange } from '../../model/text/text-parts.ts';
import { MarkedText } from '../feedback/marked-text.tsx';
import { ReadingRegion } from '../feedback/reading-region.tsx';
import { useVirtualRows } from '../tables/use-virtual-rows.ts';
import { useHighlight } from './use-highlight.ts';

const linePx = 20;
/** Longer text is cut with a note; a download has all of it. */
const charactersMax = 5_000_000;
const lineCharactersMax = 4_000;
const noMarks: readonly TextRange[] = [];

export interface ShownLines {
  /** The line that is scrolled to and highlighted, from 1; null: none. */
  readonly line: number | null;
  /** Highlighted characters by line. */
  readonly marks?: ReadonlyMap<number, readonly TextRange[]>;
}

export const noLines: ShownLines = { line: null };

export function TextView({
  path,
  text,
  language = null,
  shown: { line: current, marks } = noLines,
}: {
  readonly path: string;
  readonly text: string;
  /** null: plain. */
  readonly language?: string | null;
  readonly shown?: ShownLines;
}): ReactElement {
  const isCut = text.length > charactersMax;
  const lines = useMemo(() => linesOf(text.slice(0, charactersMax)), [text]);
  const highlighted = useHighlight(text, language);
  const virtual = useVirtualRows({ count: lines.length, rowPx: linePx, current: -1 });
  const { scrollTo } = virtual;
  const latestScroll = useRef(scrollTo);
  latestScroll.current = scrollTo;
  useEffect(() => {
    if (current !== null && current <= lines.length) latestScroll.current(current - 1, 'center');
  }, [current, lines]);
  const numberWidth = `${String(lines.length).length + 4}ch`;
  return (
    <>
      {isCut ? (
        <p className="note-line plain">
          Showing the first {plural(lines.length, 'line')}. Download the file to see all of it.
        </p>
      ) : null}
      <ReadingRegion ref={virtual.scroller} className="scroller" name={`Content of ${nameOf(path)}`}>
        <div className="rail lines" style={{ height: virtual.totalPx }}>
          {virtual.items.map((item) => (
            <div
              key={item.key}
              ref={virtual.measure}
              data-index={item.index}
              className={item.index + 1 === current ? 'line current' : 'line'}
              {...(item.index + 1 === current ? { 'aria-current': true as const } : {})}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <span className="line-number" style={{ width: numberWidth }}>
                {item.index + 1}
              </span>
              <span className="line-text">
                {highlighted === null || marks?.has(item.index + 1) === true ? (
                  <MarkedText
                    text={shortened(lines[item.index] ?? '')}
                    ranges={marks?.get(item.index + 1) ?? noMarks}
                  />
                ) : (
                  partsOf(highlighted[item.index] ?? [])
                )}
              </span>
            </div>
          ))}
        </div>
      </ReadingRegion>
    </>
  );
}

function partsOf(
  parts: readonly { readonly text: string; readonly className: string }[],
): readonly ReactNode[] {
  return parts.map(({ text, className }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line are never reordered
    <span key={index} className={className}>
      {shortened(text)}
    </span>
  ));
}

/** A line break at the end does not start another line. */
function linesOf(content: string): readonly string[] {
  const lines = content.split(/\r\n|\n|\r/);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

function shortened(line: string): string {
  if (line.length <= lineCharactersMax) return line;
  return `${line.slice(0, lineCharactersMax)} … ${count(line.length - lineCharactersMax)} more characters`;
}
