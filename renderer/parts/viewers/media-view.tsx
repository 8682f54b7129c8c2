// PDF, audio and video with the browser's own players. The type of the bytes is fixed here, so that no file becomes a page.
import type { ReactElement } from 'react';
import { nameOf } from '../../model/files/path.ts';
import { useBlobUrl } from './use-blob-url.ts';

export function MediaView({
  kind,
  path,
  bytes,
  contentType,
}: {
  readonly kind: 'pdf' | 'audio' | 'video';
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
}): ReactElement | null {
  const url = useBlobUrl(bytes, kind === 'pdf' ? 'application/pdf' : contentType);
  const name = nameOf(path);
  if (url === null) return null;
  // The desktop app and some browsers have no viewer.
  if (kind === 'pdf' && !navigator.pdfViewerEnabled)
    return (
      <div className="empty">
        <p>PDF files cannot be shown here. Download the file, or open it in another program.</p>
      </div>
    );
  if (kind === 'pdf') return <iframe className="pdf" src={url} title={name} />;
  return (
    <div className="media">
      {kind === 'audio' ? (
        // biome-ignore lint/a11y/useMediaCaption: a file of the workspace has no captions
        <audio controls src={url} aria-label={name} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: a file of the workspace has no captions
        <video controls src={url} aria-label={name} />
      )}
    </div>
  );
}
