// A guide of docs/ as HTML: headings with anchors, links to other guides as links of the site.
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { plainText } from './html.ts';

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

export interface Guide {
  /** The first heading. */
  readonly title: string;
  readonly headings: readonly Heading[];
  readonly html: string;
}

/** `hrefOf`: the address of a relative link; null: the site does not have it, and its text alone is shown. */
export function guideOf(markdown: string, hrefOf: (target: string) => string | null): Guide {
  const raw = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const headings: Heading[] = [];
  const html = raw
    .replace(/<h([1-6])>(.*?)<\/h\1>/gs, (_, digit: string, inner: string) => {
      const text = plainText(inner);
      const id = slugOf(text);
      const level = Number(digit);
      headings.push({ level, id, text });
      return `<h${level} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${level}>`;
    })
    .replace(/<a href="([^"#][^"]*)">(.*?)<\/a>/gs, (link: string, target: string, inner: string) => {
      if (/^[a-z]+:/.test(target)) return `<a href="${target}" rel="noreferrer">${inner}</a>`;
      const href = hrefOf(target);
      return href === null ? inner : link.replace(`href="${target}"`, `href="${href}"`);
    })
    .replace(/<table>/g, '<div class="wide"><table>')
    .replace(/<\/table>/g, '</table></div>')
    .replace(
      /<pre><code class="language-([a-z]+)">/g,
      '<pre class="code" tabindex="0"><code data-language="$1">',
    )
    .replace(/<pre><code>/g, '<pre class="code" tabindex="0"><code>')
    .replace(/ disabled=""/g, ' disabled="" aria-label="done"');
  return { title: headings.find(({ level }) => level === 1)?.text ?? '', headings, html };
}

/** As on GitHub: `2. Three trees` becomes `2-three-trees`. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}
