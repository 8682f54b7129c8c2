// Which views a file has, by its type and name; the first is shown. Pure.

/** `raw`: text, or the bytes as hex, exactly as stored. */
export type ViewerKind = 'markdown' | 'json' | 'table' | 'code' | 'image' | 'pdf' | 'audio' | 'video' | 'raw';

export interface ViewedFile {
  readonly path: string;
  readonly contentType: string;
  /** The content is bytes, not text. */
  readonly isBinary: boolean;
}

export const viewerNames: Readonly<Record<ViewerKind, string>> = {
  markdown: 'Rendered',
  json: 'Formatted',
  table: 'Table',
  code: 'Highlighted',
  image: 'Image',
  pdf: 'PDF',
  audio: 'Audio',
  video: 'Video',
  raw: 'Raw',
};

const imageTypes = /^image\/(avif|bmp|gif|jpeg|png|svg\+xml|webp|x-icon|vnd\.microsoft\.icon)$/;
const audioTypes = /^audio\/(aac|flac|mp4|mpeg|ogg|wav|wave|webm|x-wav|x-m4a)$/;
const videoTypes = /^video\/(mp4|ogg|quicktime|webm)$/;

/** Languages of highlight.js by the ending of the name. */
const languages: Readonly<Record<string, string>> = {
  ...named('typescript', 'ts tsx mts cts'),
  ...named('javascript', 'js jsx mjs cjs'),
  ...named('python', 'py pyi'),
  ...named('bash', 'sh bash zsh'),
  ...named('xml', 'html htm xml svg vue plist'),
  ...named('css', 'css scss less'),
  ...named('yaml', 'yaml yml'),
  ...named('ini', 'toml ini cfg conf properties'),
  ...named('go', 'go'),
  ...named('rust', 'rs'),
  ...named('java', 'java kt'),
  ...named('c', 'c h'),
  ...named('cpp', 'cc cpp cxx hpp'),
  ...named('ruby', 'rb'),
  ...named('sql', 'sql'),
  ...named('diff', 'diff patch'),
  ...named('json', 'json jsonc jsonl ndjson'),
  ...named('markdown', 'md markdown'),
};

export function viewersOf(file: ViewedFile): readonly ViewerKind[] {
  const { contentType, isBinary } = file;
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const ending = endingOf(file.path);
  if (imageTypes.test(type)) return isBinary ? ['image', 'raw'] : ['image', 'code', 'raw'];
  if (isBinary) {
    if (type === 'application/pdf') return ['pdf', 'raw'];
    if (audioTypes.test(type)) return ['audio', 'raw'];
    return videoTypes.test(type) ? ['video', 'raw'] : ['raw'];
  }
  // The name decides: writers that name no type get `text/markdown`.
  if (ending === 'md' || ending === 'markdown') return ['markdown', 'raw'];
  if (ending === 'json' || /^application\/(?:[\w.-]+\+)?json$/.test(type)) return ['json', 'raw'];
  if (ending === 'csv' || ending === 'tsv' || type === 'text/csv') return ['table', 'raw'];
  if (languageOf(file.path) !== null) return ['code', 'raw'];
  return type === 'text/markdown' && ending === '' ? ['raw', 'markdown'] : ['raw'];
}

/** null: it is not highlighted. */
export function languageOf(path: string): string | null {
  return languages[endingOf(path)] ?? null;
}

function endingOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

function named(language: string, endings: string): Record<string, string> {
  return Object.fromEntries(endings.split(' ').map((ending) => [ending, language]));
}
