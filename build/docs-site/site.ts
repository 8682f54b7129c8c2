// All pages of the documentation and the index of their search, from docs/*.md, the OpenAPI document and the tables of the agent.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import MiniSearch from 'minisearch';
import { endpointPage } from './endpoint-page.ts';
import { blocks, escaped, marked, plainText } from './html.ts';
import { hrefOf, type Page, pageHtml, type Section, type SiteFiles } from './layout.ts';
import { guideOf, type Heading } from './markdown.ts';
import { type Document, endpointsOf } from './openapi.ts';
import { referenceTables } from './reference.ts';

/** First those that a newcomer reads; the others follow by name. */
const guideOrder = [
  'agents',
  'runs',
  'search',
  'conflicts',
  'remotes',
  'hub',
  'forks',
  'webhooks',
  'writeback',
  'backup',
  'server',
  'security',
  'command-line',
];
/** Of a section or an endpoint: the first different words. */
const wordsOfEntryMax = 24;

export interface SiteFile {
  /** `docs/guides/agents.html` */
  readonly name: string;
  readonly text: string;
}

/** What the search lists. */
interface Entry {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly text: string;
}

export function siteFiles(root: string, files: SiteFiles): readonly SiteFile[] {
  const document = JSON.parse(readFileSync(path.join(root, 'build/openapi.json'), 'utf8')) as Document;
  const guides = guidePages(root);
  const endpoints = document.tags.flatMap(({ name }) =>
    endpointsOf(document).filter(({ operation }) => operation.tags[0] === name),
  );
  const endpointPages = endpoints.map((endpoint) => endpointPage(document, endpoint));
  const reference = referencePages();
  const sections: Section[] = [
    { title: 'Guides', pages: guides.map(({ page }) => page) },
    { title: 'Reference', pages: reference },
    ...document.tags.map(({ name }) => ({
      title: name,
      pages: endpoints
        .filter(({ operation }) => operation.tags[0] === name)
        .map(({ method, operation }) => ({
          name: `api/${operation.operationId}`,
          title: operation.summary,
          badge: method,
        })),
    })),
  ].filter(({ pages }) => pages.length > 0);
  const pages = [
    startPage(document, sections),
    ...guides.map(({ page }) => page),
    ...reference,
    ...endpointPages,
  ];
  return [
    ...pages.map((page) => ({
      name: page.name === '' ? 'docs/index.html' : `docs/${page.name}.html`,
      text: pageHtml(page, sections, files),
    })),
    { name: 'docs/search.json', text: searchIndex(guides, [...reference, ...endpointPages]) },
  ];
}

interface GuidePage {
  readonly page: Page;
  readonly headings: readonly Heading[];
}

function guidePages(root: string): readonly GuidePage[] {
  const names = readdirSync(path.join(root, 'docs'))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => file.slice(0, -'.md'.length));
  const rank = (name: string): number =>
    guideOrder.includes(name) ? guideOrder.indexOf(name) : guideOrder.length;
  const sorted = names.sort((left, right) => rank(left) - rank(right) || left.localeCompare(right));
  return sorted.map((name) => {
    const markdown = readFileSync(path.join(root, 'docs', `${name}.md`), 'utf8');
    const { title, headings, html } = guideOf(markdown, (target) => guideLink(target, names));
    const shown = headings.filter(({ level }) => level === 2 || level === 3);
    const aside =
      shown.length < 2
        ? null
        : `<h2>On this page</h2><ul class="toc">${shown
            .map(({ level, id, text }) => `<li class="l${level}"><a href="#${id}">${escaped(text)}</a></li>`)
            .join('')}</ul>`;
    return { page: { name: `guides/${name}`, title, section: 'Guides', html, aside }, headings };
  });
}

/** null: a file of the source, which the site does not have. */
function guideLink(target: string, guides: readonly string[]): string | null {
  const [file = '', anchor] = target.split('#');
  const name = path.posix.basename(file, '.md');
  if (!file.endsWith('.md') || !guides.includes(name) || file.includes('../')) return null;
  return `${hrefOf(`guides/${name}`)}${anchor === undefined ? '' : `#${anchor}`}`;
}

function referencePages(): readonly Page[] {
  return referenceTables().map(({ id, title, intro, rows }) => ({
    name: `reference/${id}`,
    title,
    section: 'Reference',
    html: `<h1>${escaped(title)}</h1><p>${marked(intro)}</p><dl class="members">${rows
      .map(([name, value]) => `<div><dt><code>${escaped(name)}</code></dt><dd>${marked(value)}</dd></div>`)
      .join('')}</dl>`,
    aside: null,
  }));
}

function startPage({ info, tags }: Document, sections: readonly Section[]): Page {
  const cards = sections.map(({ title, pages }) => {
    const about = tags.find(({ name }) => name === title)?.description ?? '';
    const links = pages.map(
      ({ name, title: text }) => `<li><a href="${hrefOf(name)}">${escaped(text)}</a></li>`,
    );
    return `<section class="card"><h2>${escaped(title)}</h2>${about === '' ? '' : `<p>${marked(about)}</p>`}<ul>${links.join('')}</ul></section>`;
  });
  return {
    name: '',
    title: 'Documentation',
    section: 'Guides',
    html: `<h1>Mooring documentation</h1><div class="lead">${blocks(info.description ?? '')}</div>
<p>For programs: <a href="/v1/openapi.json">openapi.json</a>, version ${escaped(info.version)}.</p><div class="cards">${cards.join('')}</div>`,
    aside: null,
  };
}

function searchIndex(guides: readonly GuidePage[], others: readonly Page[]): string {
  const index = new MiniSearch<Entry>({ fields: ['title', 'text'], storeFields: ['title', 'section'] });
  for (const { page, headings } of guides) {
    const [intro = '', ...parts] = page.html.split(/(?=<h[2-6] id=)/);
    index.add({ id: hrefOf(page.name), title: page.title, section: 'Guides', text: words(intro) });
    for (const { level, id, text } of headings)
      if (level > 1) {
        const part = parts.find((html) => html.includes(`id="${id}"`)) ?? '';
        index.add({
          id: `${hrefOf(page.name)}#${id}`,
          title: text,
          section: page.title,
          text: words(part),
        });
      }
  }
  for (const { name, title, section, html } of others)
    index.add({
      id: hrefOf(name),
      title,
      section,
      text: `${name.slice(name.lastIndexOf('/') + 1)} ${words(html)}`,
    });
  return JSON.stringify(index);
}

/** Each once. */
function words(html: string): string {
  const all = plainText(html).match(/[\p{L}\p{N}_-]{4,}/gu) ?? [];
  return [...new Set(all)].slice(0, wordsOfEntryMax).join(' ');
}
