// Lines of highlighted source: the HTML of highlight.js as parts with a class each, so that no HTML is put into the page. Pure.

export interface HighlightedPart {
  readonly text: string;
  /** `hljs-keyword`; '': plain. */
  readonly className: string;
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#x27;': "'",
};

export function highlightedLines(html: string): readonly (readonly HighlightedPart[])[] {
  const lines: HighlightedPart[][] = [[]];
  const open: string[] = [];
  for (const [whole, className, text] of html.matchAll(/<span class="([^"]*)">|<\/span>|([^<]+)/g)) {
    if (className !== undefined) open.push(className);
    else if (text === undefined) open.pop();
    else
      for (const [index, piece] of decoded(whole).split('\n').entries()) {
        if (index > 0) lines.push([]);
        if (piece !== '') lines.at(-1)?.push({ text: piece, className: open.join(' ') });
      }
  }
  return lines;
}

function decoded(text: string): string {
  return text.replace(/&(?:lt|gt|amp|quot|#x27);/g, (entity) => entities[entity] ?? entity);
}
