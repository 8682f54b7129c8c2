// Highlighted lines of a text. Until they are there, and above the limit, the text is shown plain.
import { useEffect, useState } from 'react';
import type { HighlightedPart } from '../../model/viewers/highlighted-lines.ts';

const highlightedCharactersMax = 1_000_000;

export type Lines = readonly (readonly HighlightedPart[])[];

/** null: not yet, or not at all. */
export function useHighlight(text: string, language: string | null): Lines | null {
  const [lines, setLines] = useState<{ readonly of: string; readonly lines: Lines } | null>(null);
  useEffect(() => {
    if (language === null || text.length > highlightedCharactersMax) return;
    const worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Lines>) => {
      setLines({ of: text, lines: data });
      worker.terminate();
    });
    worker.postMessage({ text, language });
    return () => worker.terminate();
  }, [text, language]);
  return lines?.of === text ? lines.lines : null;
}
