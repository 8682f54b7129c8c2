// The content of a file: text with line numbers, an image, or facts of another binary file.
import { type ReactElement, useEffect, useMemo, useRef } from 'react';
import { bytesOf } from '../../../sdk/index.ts';
import type { FileRecord } from '../../../server/contract/files.ts';
import { nameOf } from '../../model/files/path.ts';
import { count, plural, size } from '../../model/format.ts';
import type { TextRange } from '../../model/text/text-parts.ts';
import { Identifier } from '../buttons/copy.tsx';
import { useVirtualRows } from '../tables/use-virtual-rows.ts';
import { ImagePreview, isImageType } from './image-preview.tsx';
import { MarkedText } from './marked-text.tsx';
import { ReadingRegion } from './reading-region.tsx';

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

const noLines: ShownLines = { line: null };

export function FileContent({
  file,
  shown = noLines,
}: {
  readonly file: FileRecord;
  readonly shown?: ShownLines;
}): ReactElement {
  const isImage = isImageType(file.contentType);
  if (file.encoding === 'base64') return <BinaryView file={file} isImage={isImage} />;
  if (file.content === '') {
    return (
      <div className="empty">
        <p>This file is empty.</p>
      </div>
    );
  }
  return <TextView file={file} shown={shown} />;
}

function TextView({
  file,
  shown: { line: current, marks },
}: {
  readonly file: FileRecord;
  readonly shown: ShownLines;
}): ReactElement {
  const cut = file.content.length > charactersMax;
  const lines = useMemo(() => linesOf(file.content.slice(0, charactersMax)), [file.content]);
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
      {cut ? (
        <p className="note-line plain">
          Showing the first {plural(lines.length, 'line')}. Download the file to see all of it.
        </p>
      ) : null}
      <ReadingRegion ref={virtual.scroller} className="scroller" name={`Content of ${nameOf(file.path)}`}>
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
                <MarkedText
                  text={shortened(lines[item.index] ?? '')}
                  ranges={marks?.get(item.index + 1) ?? noMarks}
                />
              </span>
            </div>
          ))}
        </div>
      </ReadingRegion>
    </>
  );
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

function BinaryView({
  file,
  isImage,
}: {
  readonly file: FileRecord;
  readonly isImage: boolean;
}): ReactElement {
  const bytes = useMemo(() => bytesOf(file), [file]);
  return (
    <ReadingRegion className="binary" name={`Content of ${nameOf(file.path)}`}>
      {isImage ? <ImagePreview bytes={bytes} file={file} /> : <p className="soft">Binary file</p>}
      <dl className="facts">
        <dt>Size</dt>
        <dd>
          {size(bytes.length)} ({plural(bytes.length, 'byte')})
        </dd>
        <dt>Type</dt>
        <dd className="mono">{file.contentType}</dd>
        <dt>SHA-256</dt>
        <dd>
          <Identifier text={file.contentHash} what="the hash" />
        </dd>
      </dl>
    </ReadingRegion>
  );
}
