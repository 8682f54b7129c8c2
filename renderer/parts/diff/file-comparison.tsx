// Compares two versions of a file: lines unified or side by side, images beside each other, sizes of other files.
import { type ReactElement, useMemo, useState } from 'react';
import { bytesOf } from '../../../sdk/index.ts';
import type { FileRecord } from '../../../server/contract/files.ts';
import { size } from '../../model/format.ts';
import { changeComparison } from '../../model/text/conflict-rows.ts';
import { unifiedLines } from '../../model/text/unified-diff.ts';
import { ImagePreview, isImageType } from '../feedback/image-preview.tsx';
import { ImageComparison } from '../viewers/image-comparison.tsx';
import { DiffLines } from './diff-text.tsx';
import { LineGrid } from './line-grid.tsx';

/** Characters of both versions; larger files are shown by their sizes. */
const comparedCharactersMax = 2_000_000;

export interface FileVersions {
  /** null: no file. */
  readonly before: FileRecord | null;
  readonly after: FileRecord | null;
}

export function FileComparison({
  versions: { before, after },
  isSideBySide,
}: {
  readonly versions: FileVersions;
  readonly isSideBySide: boolean;
}): ReactElement {
  const shown = [before, after].filter((version) => version !== null);
  if (shown.some(({ encoding }) => encoding === 'base64'))
    return shown.some(({ contentType }) => isImageType(contentType)) ? (
      <Images before={before} after={after} />
    ) : (
      <p className="soft comparison-note">Binary file: {sizesOf(before, after)}</p>
    );
  const characters = shown.reduce((sum, { content }) => sum + content.length, 0);
  if (characters > comparedCharactersMax)
    return <p className="soft comparison-note">Too large to compare: {sizesOf(before, after)}</p>;
  return <Texts before={before?.content ?? ''} after={after?.content ?? ''} isSideBySide={isSideBySide} />;
}

function Texts({
  before,
  after,
  isSideBySide,
}: {
  readonly before: string;
  readonly after: string;
  readonly isSideBySide: boolean;
}): ReactElement {
  const comparison = useMemo(() => changeComparison(before, after), [before, after]);
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const lines = useMemo(
    () => (isSideBySide ? [] : unifiedLines(comparison, unfolded)),
    [comparison, unfolded, isSideBySide],
  );
  const unfold = (hunk: number): void => setUnfolded(new Set(unfolded).add(hunk));
  if (before === after) return <p className="soft comparison-note">Content unchanged</p>;
  const endNote = endOfFileNote(before, after);
  return (
    <>
      {endNote === null ? null : <p className="soft comparison-note">{endNote}</p>}
      {isSideBySide ? (
        <LineGrid
          comparison={comparison}
          shown={sides}
          heads={{ base: <b>Before</b>, mine: <b>After</b>, theirs: null }}
          unfolded={unfolded}
          onUnfold={unfold}
          showsRemoved
        />
      ) : (
        <DiffLines lines={lines} onUnfold={unfold} />
      )}
    </>
  );
}

const sides = ['base', 'mine'] as const;

/** A difference that no line shows; null: there is none. */
function endOfFileNote(before: string, after: string): string | null {
  if (before === '' || after === '' || before.endsWith('\n') === after.endsWith('\n')) return null;
  return after.endsWith('\n') ? 'Adds a line break at the end.' : 'Removes the line break at the end.';
}

function Images({ before, after }: FileVersions): ReactElement {
  if (before !== null && after !== null && isImageType(before.contentType) && isImageType(after.contentType))
    return (
      <ImageComparison left={{ title: 'Before', file: before }} right={{ title: 'After', file: after }} />
    );
  return (
    <div className="compared-images">
      <ComparedImage title="Before" file={before} />
      <ComparedImage title="After" file={after} />
    </div>
  );
}

function ComparedImage({
  title,
  file,
}: {
  readonly title: string;
  readonly file: FileRecord | null;
}): ReactElement {
  const bytes = useMemo(() => (file === null ? null : bytesOf(file)), [file]);
  return (
    <section className="binary" aria-label={title}>
      <h3>
        {title} <span className="faint">{bytes === null ? 'no file' : size(bytes.length)}</span>
      </h3>
      {file === null || bytes === null ? null : <ImagePreview bytes={bytes} file={file} />}
    </section>
  );
}

function sizesOf(before: FileRecord | null, after: FileRecord | null): string {
  const sizeOf = (file: FileRecord | null): string =>
    file === null ? 'no file' : size(bytesOf(file).length);
  return `${sizeOf(before)} before, ${sizeOf(after)} after`;
}
