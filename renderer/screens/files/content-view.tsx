// The content of a file: text with line numbers, an image, or facts of another binary file.
import { type ReactElement, useMemo } from 'react';
import { bytesOf } from '../../../sdk/index.ts';
import type { FileRecord } from '../../../server/contract/files.ts';
import { nameOf } from '../../model/files/path.ts';
import { count, plural, size } from '../../model/format.ts';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { ImagePreview, isImageType } from '../../parts/feedback/image-preview.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { useVirtualRows } from '../../parts/tables/use-virtual-rows.ts';

const linePx = 20;
/** Longer text is cut with a note; a download has all of it. */
const charactersMax = 5_000_000;
const lineCharactersMax = 4_000;

export function ContentView({ file }: { readonly file: FileRecord }): ReactElement {
  const isImage = isImageType(file.contentType);
  if (file.encoding === 'base64') return <BinaryView file={file} isImage={isImage} />;
  if (file.content === '') {
    return (
      <div className="empty">
        <p>This file is empty.</p>
      </div>
    );
  }
  return <TextView file={file} />;
}

function TextView({ file }: { readonly file: FileRecord }): ReactElement {
  const cut = file.content.length > charactersMax;
  const lines = useMemo(() => linesOf(file.content.slice(0, charactersMax)), [file.content]);
  const virtual = useVirtualRows({ count: lines.length, rowPx: linePx, current: -1 });
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
              className="line"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <span className="line-number" style={{ width: numberWidth }}>
                {item.index + 1}
              </span>
              <span className="line-text">{shortened(lines[item.index] ?? '')}</span>
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
