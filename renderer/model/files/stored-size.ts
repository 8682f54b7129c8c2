// The tree counts content as the API answers it: a binary file's base64 text is a third longer than its bytes. The
// entry does not say which it is, so it is told by the kind of file. Pure.
import type { TreeEntry } from '../../../server/contract/files.ts';

const binaryExtensions = new Set(
  (
    '7z avif bin bmp br bz2 class db dll dmg doc docx dylib eot exe flac gif gz heic icns ico jar jpeg jpg lz4 mkv mov ' +
    'mp3 mp4 node o odp ods odt ogg otf pdf png ppt pptx psd pyc rar so sqlite tar tgz tif tiff ttf wasm wav webm webp ' +
    'woff woff2 xls xlsx xz zip zst'
  ).split(' '),
);

/** Bytes of the file itself, as near as the entry tells. */
export function shownSize(entry: Pick<TreeEntry, 'path' | 'size'>): number {
  const stored = entry.size ?? 0;
  const extension = /\.([^./]+)$/.exec(entry.path)?.[1]?.toLowerCase() ?? '';
  const isBase64 = stored % 4 === 0 && binaryExtensions.has(extension);
  return isBase64 ? (stored / 4) * 3 : stored;
}
