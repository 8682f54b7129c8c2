// Preview of an image file.
import { type ReactElement, useEffect, useState } from 'react';
import type { FileRecord } from '../../../server/contract/files.ts';
import { nameOf } from '../../model/files/path.ts';

const imageTypes = /^image\/(avif|bmp|gif|jpeg|png|svg\+xml|webp|x-icon|vnd\.microsoft\.icon)$/;

export function isImageType(contentType: string): boolean {
  return imageTypes.test(contentType);
}

export function ImagePreview({
  bytes,
  file,
}: {
  readonly bytes: Uint8Array;
  readonly file: FileRecord;
}): ReactElement {
  const [url, setUrl] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const created = URL.createObjectURL(new Blob([bytes as BlobPart], { type: file.contentType }));
    setUrl(created);
    setFailed(false);
    return () => URL.revokeObjectURL(created);
  }, [bytes, file.contentType]);
  if (failed) return <p className="soft">This browser cannot show the image.</p>;
  return (
    <figure>
      {url === null ? null : <img src={url} alt={nameOf(file.path)} onError={() => setFailed(true)} />}
    </figure>
  );
}
