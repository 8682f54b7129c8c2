// The content of a file in one of its views: rendered, formatted, highlighted, as a table, image or player, and always raw.
import { type ReactElement, Suspense, useCallback, useMemo, useState } from 'react';
import { bytesOf } from '../../../sdk/index.ts';
import type { FileRecord } from '../../../server/contract/files.ts';
import { useKeys } from '../../keys.ts';
import { plural, size } from '../../model/format.ts';
import { languageOf, type ViewerKind, viewerNames, viewersOf } from '../../model/viewers/viewer-kinds.ts';
import { Identifier } from '../buttons/copy.tsx';
import { Segments } from '../buttons/segments.tsx';
import { lazyPart } from '../lazy-part.ts';
import { HexView } from '../viewers/hex-view.tsx';
import { ImageView } from '../viewers/image-view.tsx';
import { MediaView } from '../viewers/media-view.tsx';
import { noLines, type ShownLines, TextView } from '../viewers/text-view.tsx';
import { ErrorBoundary } from './error-boundary.tsx';

const views = {
  markdown: lazyPart(async () => (await import('../viewers/markdown-view.tsx')).MarkdownView),
  json: lazyPart(async () => (await import('../viewers/json-view.tsx')).JsonView),
  table: lazyPart(async () => (await import('../viewers/table-view.tsx')).TableView),
} as const;
const { Part: MarkdownView } = views.markdown;
const { Part: JsonView } = views.json;
const { Part: TableView } = views.table;

/** Loads the code that shows a file while the file itself is loaded. */
export function preloadView(path: string): void {
  const [kind] = viewersOf({ path, contentType: '', isBinary: false });
  Object.entries(views)
    .find(([of]) => of === kind)?.[1]
    .preload();
}

/** Longer Markdown, JSON and CSV are shown as text: rendering would hold up the page. */
const renderedCharactersMax: Readonly<Partial<Record<ViewerKind, number>>> = {
  markdown: 200_000,
  json: 2_000_000,
  table: 2_000_000,
};

interface FileContentProps {
  readonly workspaceId: string;
  readonly file: FileRecord;
  readonly shown?: ShownLines;
  /** The point in time of the file; null: now. */
  readonly atMs?: number | null;
}

export function FileContent(props: FileContentProps): ReactElement {
  if (props.file.content === '') {
    return (
      <div className="empty">
        <p>This file is empty.</p>
      </div>
    );
  }
  return <Viewed key={props.file.path} {...props} />;
}

function Viewed({ workspaceId, file, shown = noLines, atMs = null }: FileContentProps): ReactElement {
  const isBinary = file.encoding === 'base64';
  const kinds = viewersOf({ path: file.path, contentType: file.contentType, isBinary }).filter(
    (kind) => file.content.length <= (renderedCharactersMax[kind] ?? Number.POSITIVE_INFINITY),
  );
  const tooLong = !isBinary && kinds.length === 1 && languageOf(file.path) !== null;
  // A line is shown where there are lines.
  const [first = 'raw'] = shown.line === null && shown.marks === undefined ? kinds : kinds.filter(hasLines);
  const [chosen, setChosen] = useState<ViewerKind | null>(null);
  const kind = chosen !== null && kinds.includes(chosen) ? chosen : first;
  useKeys({ v: () => setChosen(kind === 'raw' ? (kinds.find((other) => other !== 'raw') ?? 'raw') : 'raw') });
  return (
    <>
      {kinds.length < 2 ? null : (
        <div className="row viewer-bar">
          <Segments
            label="Shown as"
            options={kinds.map((value) => ({ value, text: viewerNames[value] }))}
            value={kind}
            onChange={setChosen}
          />
        </div>
      )}
      {tooLong && kind === 'raw' && renderedCharactersMaxOf(file.path) < file.content.length ? (
        <p className="note-line plain">The file is too long to be rendered.</p>
      ) : null}
      <ErrorBoundary resetKey={kind}>
        <Suspense fallback={<p className="empty">Loading…</p>}>
          {isBinary ? (
            <BinaryView file={file} kind={kind} />
          ) : (
            <TextFileView workspaceId={workspaceId} file={file} kind={kind} shown={shown} atMs={atMs} />
          )}
        </Suspense>
      </ErrorBoundary>
    </>
  );
}

function hasLines(kind: ViewerKind): boolean {
  return kind === 'code' || kind === 'raw';
}

function renderedCharactersMaxOf(path: string): number {
  const [kind = 'raw'] = viewersOf({ path, contentType: 'text/plain', isBinary: false });
  return renderedCharactersMax[kind] ?? Number.POSITIVE_INFINITY;
}

function TextFileView({
  workspaceId,
  file: { path, content, contentType },
  kind,
  shown,
  atMs,
}: Required<FileContentProps> & { readonly kind: ViewerKind }): ReactElement {
  const bytes = useMemo(() => new TextEncoder().encode(kind === 'image' ? content : ''), [kind, content]);
  switch (kind) {
    case 'markdown':
      return <MarkdownView workspaceId={workspaceId} path={path} text={content} atMs={atMs} />;
    case 'json':
      return <JsonView path={path} text={content} />;
    case 'table':
      return <TableView path={path} text={content} />;
    case 'image':
      return <ImageView path={path} bytes={bytes} contentType={contentType} />;
    default:
      return (
        <TextView
          path={path}
          text={content}
          language={kind === 'code' ? languageOf(path) : null}
          shown={shown}
        />
      );
  }
}

function BinaryView({ file, kind }: { readonly file: FileRecord; readonly kind: ViewerKind }): ReactElement {
  const bytes = useMemo(() => bytesOf(file), [file]);
  const read = useCallback(
    (start: number, end: number) => Promise.resolve(bytes.subarray(start, end)),
    [bytes],
  );
  const { path, contentType } = file;
  return (
    <>
      {kind === 'image' ? <ImageView path={path} bytes={bytes} contentType={contentType} /> : null}
      {kind === 'pdf' || kind === 'audio' || kind === 'video' ? (
        <MediaView kind={kind} path={path} bytes={bytes} contentType={contentType} />
      ) : null}
      {kind === 'raw' ? <HexView path={path} sizeBytes={bytes.length} read={read} /> : null}
      <dl className="facts binary-facts">
        <dt>Size</dt>
        <dd>
          {size(bytes.length)} ({plural(bytes.length, 'byte')})
        </dd>
        <dt>Type</dt>
        <dd className="mono">{contentType}</dd>
        <dt>SHA-256</dt>
        <dd>
          <Identifier text={file.contentHash} what="the hash" />
        </dd>
      </dl>
    </>
  );
}
