// The frame of every page of the documentation: header with search, sidebar, content.
import { escaped } from './html.ts';

export interface Page {
  /** `guides/agents`; '': the start page. */
  readonly name: string;
  readonly title: string;
  readonly section: string;
  readonly html: string;
  /** Beside the text; null: none. */
  readonly aside: string | null;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly { readonly name: string; readonly title: string; readonly badge?: string }[];
}

export interface SiteFiles {
  /** `/docs/site-1a2b3c4d.css` */
  readonly style: string;
  readonly script: string;
}

export function hrefOf(name: string): string {
  return name === '' ? '/docs' : `/docs/${name}`;
}

export function pageHtml(page: Page, sections: readonly Section[], files: SiteFiles): string {
  const { name, title, html, aside } = page;
  const heading = name === '' ? 'Mooring documentation' : `${title} · Mooring`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(heading)}</title><link rel="icon" href="/icon.svg"><link rel="stylesheet" href="${files.style}">
<script src="/theme.js"></script><script type="module" src="${files.script}"></script></head>
<body><a class="skip" href="#content">Skip to content</a>
<header><button type="button" class="menu-button" aria-expanded="false" aria-controls="sidebar">Menu</button>
<a class="brand" href="/docs"><img src="/icon.svg" alt="" width="20" height="20"> Mooring <span>docs</span></a>
<search class="search"><input id="search" type="search" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list" placeholder="Search" aria-label="Search the documentation" autocomplete="off"><kbd aria-hidden="true">/</kbd><ul id="found" role="listbox" aria-label="Found pages" hidden></ul></search>
<a class="to-app" href="/">Open Mooring</a></header>
<div class="frame"><nav id="sidebar" aria-label="Documentation">${sidebar(page, sections)}</nav>
<main id="content"${aside === null ? '' : ' class="with-aside"'}><article>${html}</article>${
    aside === null
      ? ''
      : `<aside aria-label="${page.section === 'Guides' ? 'On this page' : 'Examples'}">${aside}</aside>`
  }</main></div></body></html>
`;
}

/** The pages of the open section and all guides; of the others their name, which leads to the first page. */
function sidebar({ name, section }: Page, sections: readonly Section[]): string {
  return sections
    .map(({ title, pages }) => {
      if (title !== section && title !== 'Guides')
        return `<p><a href="${hrefOf(pages[0]?.name ?? '')}">${escaped(title)}</a></p>`;
      const links = pages.map(
        (page) =>
          `<li><a href="${hrefOf(page.name)}"${page.name === name ? ' aria-current="page"' : ''}>${
            page.badge === undefined ? '' : `<span class="verb ${page.badge}">${page.badge}</span>`
          }${escaped(page.title)}</a></li>`,
      );
      return `<details${title === section ? ' open' : ''}><summary>${escaped(title)}</summary><ul>${links.join('')}</ul></details>`;
    })
    .join('');
}
