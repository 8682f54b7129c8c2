// Two versions of an image: beside each other, one swiped over the other, or their difference; with how many pixels differ.
import { type CSSProperties, type ReactElement, useEffect, useMemo, useState } from 'react';
import { bytesOf } from '../../../sdk/index.ts';
import type { FileRecord } from '../../../server/contract/files.ts';
import { nameOf } from '../../model/files/path.ts';
import { size } from '../../model/format.ts';
import { Segments } from '../buttons/segments.tsx';
import { differingShare } from './differing-pixels.ts';
import { useBlobUrl } from './use-blob-url.ts';

const modes = [
  { value: 'both', text: 'Both' },
  { value: 'swipe', text: 'Swipe' },
  { value: 'difference', text: 'Difference' },
] as const;
type Mode = (typeof modes)[number]['value'];

export interface ImageVersion {
  /** `Local`, `Before` */
  readonly title: string;
  readonly file: FileRecord;
}

interface Loaded extends ImageVersion {
  readonly url: string;
  readonly bytes: number;
  readonly image: HTMLImageElement;
}

export function ImageComparison({
  left,
  right,
}: {
  readonly left: ImageVersion;
  readonly right: ImageVersion;
}): ReactElement {
  const [mode, setMode] = useState<Mode>('both');
  const versions = [useLoaded(left), useLoaded(right)] as const;
  const [one, two] = versions;
  if (one === 'failed' || two === 'failed')
    return <p className="soft">This browser cannot show the image.</p>;
  if (one === null || two === null) return <p className="soft">Loading the images…</p>;
  return (
    <section className="image-comparison" aria-label="Images">
      <div className="row wrap">
        <Segments label="Comparison" options={modes} value={mode} onChange={setMode} />
        <Facts one={one} two={two} />
      </div>
      {mode === 'both' ? (
        <div className="image-pair">
          <Figure version={one} />
          <Figure version={two} />
        </div>
      ) : mode === 'swipe' ? (
        <Swipe one={one} two={two} />
      ) : (
        <div className="image-stack is-difference" style={frameOf(one, two)}>
          <Picture version={one} frame={[one, two]} />
          <Picture version={two} frame={[one, two]} />
        </div>
      )}
    </section>
  );
}

/** null: not yet. */
function useLoaded(version: ImageVersion): Loaded | 'failed' | null {
  const { file } = version;
  const bytes = useMemo(() => bytesOf(file), [file]);
  const url = useBlobUrl(bytes, file.contentType);
  const [image, setImage] = useState<HTMLImageElement | 'failed' | null>(null);
  useEffect(() => {
    setImage(null);
    if (url === null) return;
    const loading = new Image();
    loading.onload = () => setImage(loading);
    loading.onerror = () => setImage('failed');
    loading.src = url;
    return () => {
      loading.onload = null;
      loading.onerror = null;
    };
  }, [url]);
  if (image === null || url === null || image === 'failed') return image === 'failed' ? 'failed' : null;
  return image.src === url ? { ...version, url, bytes: bytes.length, image } : null;
}

function Facts({ one, two }: { readonly one: Loaded; readonly two: Loaded }): ReactElement {
  const share = useMemo(() => differingShare(one.image, two.image), [one.image, two.image]);
  const sameSize = pixelsOf(one) === pixelsOf(two);
  const size = sameSize ? `Both ${pixelsOf(one)} pixels` : `${pixelsOf(one)} and ${pixelsOf(two)} pixels`;
  return (
    <span className="soft">
      {size}
      {share === null
        ? ''
        : share === 0
          ? ' · no pixel differs'
          : ` · ${percent(share)} of the pixels differ`}
    </span>
  );
}

function percent(share: number): string {
  return share < 0.01 ? 'less than 1 %' : `${Math.round(share * 100)} %`;
}

function pixelsOf({ image }: Loaded): string {
  return `${image.naturalWidth} × ${image.naturalHeight}`;
}

function altOf(version: Loaded): string {
  return `${nameOf(version.file.path)}, ${version.title}, ${pixelsOf(version)} pixels`;
}

function Figure({ version }: { readonly version: Loaded }): ReactElement {
  return (
    <figure>
      <div className="image-ground">
        <img src={version.url} alt={altOf(version)} />
      </div>
      <figcaption>
        <b>{version.title}</b>
        <span className="faint">{size(version.bytes)}</span>
      </figcaption>
    </figure>
  );
}

/** The slider shows the left version up to its place. */
function Swipe({ one, two }: { readonly one: Loaded; readonly two: Loaded }): ReactElement {
  const [place, setPlace] = useState(50);
  return (
    <>
      <div className="image-stack" style={frameOf(one, two)}>
        <Picture version={two} frame={[one, two]} />
        <div className="swiped" style={{ clipPath: `inset(0 ${100 - place}% 0 0)` }}>
          <Picture version={one} frame={[one, two]} />
        </div>
        <span className="swipe-line" aria-hidden="true" style={{ left: `${place}%` }} />
      </div>
      <label className="swipe">
        <b>{one.title}</b>
        <input
          type="range"
          min={0}
          max={100}
          value={place}
          aria-label={`Part of ${one.title} that is shown`}
          aria-valuetext={`${place} % ${one.title}, ${100 - place} % ${two.title}`}
          onChange={(event) => setPlace(Number(event.target.value))}
        />
        <b>{two.title}</b>
      </label>
    </>
  );
}

/** Both lie in one frame, from its upper left corner, at the same scale. */
function frameOf(one: Loaded, two: Loaded): CSSProperties {
  const width = Math.max(one.image.naturalWidth, two.image.naturalWidth);
  const height = Math.max(one.image.naturalHeight, two.image.naturalHeight);
  return { maxWidth: width, aspectRatio: `${width} / ${height}` };
}

function Picture({
  version,
  frame: [one, two],
}: {
  readonly version: Loaded;
  readonly frame: readonly [Loaded, Loaded];
}): ReactElement {
  const width = Math.max(one.image.naturalWidth, two.image.naturalWidth);
  return (
    <img
      src={version.url}
      alt={altOf(version)}
      style={{ width: `${(100 * version.image.naturalWidth) / width}%` }}
    />
  );
}
