// Estimates the size of a file from its size in the tree, which is that of base64 text for a binary file: a third more. The entry does
// not name the encoding, so the file extension decides. Pure.
import type { TreeEntry } from '../../../server/contract/files.ts';

const binaryExtensions = new Set(
  (
    '7z avif bin bmp br bz2 class db dll dmg doc docx dylib eot exe flac gif gz heic icns ico jar jpeg jpg lz4 mkv mov ' +
    'mp3 mp4 node o odp ods odt ogg otf pdf png ppt pptx psd pyc rar so sqlite tar tgz tif tiff ttf wasm wav webm webp ' +
    'woff woff2 xls xlsx xz zip zst'
  ).split(' '),
);

/** Bytes of the file, estimated. */
export function shownSize(entry: Pick<TreeEntry, 'path' | 'size'>): number {
  const stored = entry.size ?? 0;
  const extension = /\.([^./]+)$/.exec(entry.path)?.[1]?.toLowerCase() ?? '';
  const isBase64 = stored % 4 === 0 && binaryExtensions.has(extension);
  return isBase64 ? (stored / 4) * 3 : stored;
}
