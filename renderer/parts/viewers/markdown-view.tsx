// Rendered Markdown. Raw HTML is shown as text, what is left is sanitised once more, nothing is loaded: an image of another server is a
// link, an image of the workspace is loaded from the agent. Links within the file scroll to their heading or footnote.
import DOMPurify from 'dompurify';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type ReactElement, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { bytesOf, type MooringClient } from '../../../sdk/index.ts';
import { useServices } from '../../api/services.ts';
import { filesHref, useHashLocation } from '../../location/app-location.ts';
import { nameOf } from '../../model/files/path.ts';
import { anchorIn, headingAnchors } from '../../model/viewers/heading-anchors.ts';
import { isImageType } from '../feedback/image-preview.tsx';
import { ReadingRegion } from '../feedback/reading-region.tsx';

const imagesMax = 50;
const imageBytesMax = 10_000_000;
const anchorAttribute = 'data-anchor';

export function MarkdownView({
  workspaceId,
  path,
  text,
  atMs,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly text: string;
  /** The point in time of the file, for its images and links; null: now. */
  readonly atMs: number | null;
}): ReactElement {
  const { client } = useServices();
  const [, navigate] = useLocation();
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const fragment = renderedMarkdown(text);
    const stop = new AbortController();
    const urls: string[] = [];
    const hrefOf = (target: string): string => filesHref(workspaceId, target, 'file', { atMs });
    linkFiles(fragment, path, { hrefOf, open: (target) => navigate(hrefOf(target)) });
    for (const image of imagesOf(fragment, path).slice(0, imagesMax))
      loadedImage(client, workspaceId, image.path, atMs, stop.signal)
        .then((blob) => {
          if (stop.signal.aborted || blob === null) return;
          const url = URL.createObjectURL(blob);
          urls.push(url);
          image.element.src = url;
        })
        .catch(() => undefined);
    body.current?.replaceChildren(fragment);
    return () => {
      stop.abort();
      for (const url of urls) URL.revokeObjectURL(url);
    };
  }, [client, navigate, workspaceId, path, text, atMs]);
  return (
    <ReadingRegion className="scroller markdown" name={`Content of ${nameOf(path)}`}>
      <div ref={body} className="markdown-body" />
    </ReadingRegion>
  );
}

/** null: no image, or too large. */
async function loadedImage(
  client: MooringClient,
  workspaceId: string,
  path: string,
  atMs: number | null,
  signal: AbortSignal,
): Promise<Blob | null> {
  const options = { signal, ...(atMs === null ? {} : { at: new Date(atMs) }) };
  const { size } = await client.files.stat(workspaceId, path, options);
  if (size > imageBytesMax) return null;
  const file = await client.readFile(workspaceId, path, options);
  if (!isImageType(file.contentType)) return null;
  return new Blob([bytesOf(file) as BlobPart], { type: file.contentType });
}

function renderedMarkdown(text: string): DocumentFragment {
  const html = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const fragment = DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'iframe', 'object', 'embed', 'video', 'audio', 'svg', 'math'],
    FORBID_ATTR: ['style', 'srcset', 'name', 'class'],
  });
  nameAnchors(fragment);
  for (const box of fragment.querySelectorAll('input')) {
    box.disabled = true;
    box.setAttribute('aria-label', box.checked ? 'Done' : 'Not done');
  }
  for (const block of fragment.querySelectorAll('pre')) block.tabIndex = 0;
  return fragment;
}

/** Names the headings, and what the footnotes refer to. No id of a file is an id of the page, which has its own. */
function nameAnchors(fragment: DocumentFragment): void {
  for (const element of fragment.querySelectorAll('[id]')) {
    element.setAttribute(anchorAttribute, element.id.toLowerCase());
    element.removeAttribute('id');
  }
  for (const element of fragment.querySelectorAll('[aria-describedby]'))
    element.removeAttribute('aria-describedby');
  const headings = [...fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')];
  const names = headingAnchors(headings.map(({ textContent }) => textContent));
  for (const [index, heading] of headings.entries())
    if (!heading.hasAttribute(anchorAttribute)) heading.setAttribute(anchorAttribute, names[index] ?? '');
}

function linkFiles(
  fragment: DocumentFragment,
  path: string,
  { hrefOf, open }: { readonly hrefOf: (target: string) => string; readonly open: (target: string) => void },
): void {
  const anchors = new Map(
    [...fragment.querySelectorAll<HTMLElement>(`[${anchorAttribute}]`)].map(
      (element) => [element.getAttribute(anchorAttribute), element] as const,
    ),
  );
  const leadTo = (link: HTMLAnchorElement, target: string, follow: () => void): void => {
    // Also for a copy of the address, or a new tab.
    link.href = useHashLocation.hrefs(hrefOf(target));
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      follow();
    });
  };
  for (const link of fragment.querySelectorAll('a')) {
    const href = link.getAttribute('href') ?? '';
    const anchor = anchors.get(anchorIn(href));
    const target = fileAt(path, href);
    if (anchor !== undefined) leadTo(link, path, () => show(anchor));
    else if (target !== null) leadTo(link, target, () => open(target));
    else {
      link.target = '_blank';
      link.rel = 'noopener noreferrer';
      if (!/^(https?|mailto):/i.test(href)) link.removeAttribute('href');
    }
  }
}

/** The focus follows, so that the next Tab continues from there. */
function show(element: HTMLElement): void {
  if (!element.matches('a, button, input')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'start' });
}

/** Images of the workspace, without their address; an image of another server becomes a link to it. */
function imagesOf(fragment: DocumentFragment, path: string) {
  const images: { readonly element: HTMLImageElement; readonly path: string }[] = [];
  for (const element of fragment.querySelectorAll('img')) {
    const source = element.getAttribute('src') ?? '';
    const target = fileAt(path, source);
    element.removeAttribute('src');
    if (target !== null) {
      images.push({ element, path: target });
      continue;
    }
    const link = document.createElement('a');
    link.textContent = `Image${element.alt === '' ? '' : ` “${element.alt}”`}: ${source}`;
    if (/^https?:/i.test(source)) link.href = source;
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    element.replaceWith(link);
  }
  return images;
}

/** The path of a relative address; null: it leads elsewhere, or within the page. */
function fileAt(path: string, address: string): string | null {
  if (
    address === '' ||
    address.startsWith('#') ||
    address.startsWith('//') ||
    /^[a-z][a-z0-9+.-]*:/i.test(address)
  )
    return null;
  try {
    const { pathname } = new URL(
      address,
      `http://workspace${path.split('/').map(encodeURIComponent).join('/')}`,
    );
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}
