// An image: fitted to the pane, or at a size of its own that is moved by scrolling.
import { type ReactElement, useState } from 'react';
import { nameOf } from '../../model/files/path.ts';
import { Segments } from '../buttons/segments.tsx';
import { useBlobUrl } from './use-blob-url.ts';

const zooms = [
  { value: 'fit', text: 'Fit' },
  { value: '1', text: '100 %' },
  { value: '2', text: '200 %' },
  { value: '4', text: '400 %' },
] as const;
type Zoom = (typeof zooms)[number]['value'];

export function ImageView({
  path,
  bytes,
  contentType,
}: {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
}): ReactElement {
  const url = useBlobUrl(bytes, contentType);
  const [zoom, setZoom] = useState<Zoom>('fit');
  const [natural, setNatural] = useState<{ readonly width: number; readonly height: number } | null>(null);
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return <p className="soft">This browser cannot show the image.</p>;
  return (
    <>
      <div className="row image-zoom">
        <Segments label="Zoom" options={zooms} value={zoom} onChange={setZoom} />
        {natural === null ? null : (
          <span className="faint">
            {natural.width} × {natural.height} pixels
          </span>
        )}
      </div>
      <figure className={zoom === 'fit' ? 'image-frame' : 'image-frame zoomed'}>
        {url === null ? null : (
          <img
            src={url}
            alt={nameOf(path)}
            {...(zoom === 'fit' || natural === null
              ? {}
              : { style: { width: natural.width * Number(zoom), maxWidth: 'none', maxHeight: 'none' } })}
            onLoad={({ currentTarget }) =>
              setNatural({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
            }
            onError={() => setFailed(true)}
          />
        )}
      </figure>
    </>
  );
}
