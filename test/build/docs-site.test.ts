import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cliExample, documentedCommands } from '../../build/docs-site/cli-examples.ts';
import { sdkExamples, sdkExampleText } from '../../build/docs-site/sdk-examples.ts';
import { type SiteFile, siteFiles } from '../../build/docs-site/site.ts';
import openApi from '../../build/openapi.json' with { type: 'json' };
import { examples } from '../../server/cli/shared/examples.ts';
import { errorCatalogue } from '../../server/contract/errors.ts';
import { eventTypes } from '../../server/contract/events.ts';
import { bareScopes, webhookScopes } from '../../server/core/access/scope.ts';
import * as limits from '../../server/http/base/limits.ts';

const root = path.resolve(import.meta.dirname, '../..');
const pageBytesMax = 200_000;
const operations = Object.values(openApi.paths).flatMap((methods) => Object.values(methods));
const operationIds = operations.map(({ operationId }) => operationId);
let files: readonly SiteFile[] = [];
let pages: ReadonlyMap<string, string> = new Map();

beforeAll(() => {
  files = siteFiles(root, { style: '/docs/site.css', script: '/docs/site.js' });
  const html = files.filter(({ name }) => name.endsWith('.html'));
  const urlOf = (name: string) => `/${name.replace(/(?:\/index)?\.html$/, '')}`;
  pages = new Map(html.map(({ name, text }) => [urlOf(name), text]));
});

describe('the documentation', () => {
  it('has a page for each guide and endpoint, none over 200 KB, and neither is its index', () => {
    for (const id of operationIds) expect(pages.has(`/docs/api/${id}`), id).toBe(true);
    for (const guide of ['agents', 'security', 'command-line', 'glossary'])
      expect(pages.has(`/docs/guides/${guide}`), guide).toBe(true);
    expect(
      files.filter(({ text }) => Buffer.byteLength(text) > pageBytesMax).map(({ name }) => name),
    ).toEqual([]);
  });

  it('has no link and no anchor that leads nowhere', () => {
    const broken: string[] = [];
    for (const [page, html] of pages) {
      for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
        if (/^https?:/.test(href) || ['/', '/v1/openapi.json'].includes(href)) continue;
        const [target = '', anchor] = href.split('#');
        const to = target === '' ? page : target;
        const there = pages.get(to);
        const isFound =
          there !== undefined &&
          (anchor === undefined || there.includes(`id="${decodeURIComponent(anchor)}"`));
        if (!isFound) broken.push(`${page}: ${href}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it('loads nothing from elsewhere and has no script or style of its own in the page', () => {
    for (const [page, html] of pages) {
      const loaded = [...html.matchAll(/(?:src|<link [^>]*href)="([^"]+)"/g)].map(([, url]) => url);
      expect([page, loaded.filter((url) => url?.startsWith('/') !== true)]).toEqual([page, []]);
      expect(html, page).not.toMatch(/<script>|<script [^>]*>[^<]|<style|style="| on[a-z]+="/);
    }
  });

  it('names every error code, scope, event type and limit', () => {
    const reference = [...pages]
      .filter(([url]) => url.startsWith('/docs/reference/'))
      .map(([, html]) => html)
      .join();
    const words = [
      ...Object.keys(errorCatalogue),
      ...eventTypes,
      ...bareScopes,
      ...webhookScopes,
      ...Object.keys(limits),
    ];
    expect(words.filter((word) => !reference.includes(`<code>${word}</code>`))).toEqual([]);
  });

  it('has an example in curl for every endpoint, in TypeScript and for the command line where they offer it', () => {
    const kinds = { curl: 0, typescript: 0, cli: 0 };
    for (const id of operationIds) {
      const html = pages.get(`/docs/api/${id}`) ?? '';
      for (const kind of Object.keys(kinds) as (keyof typeof kinds)[])
        if (html.includes(`data-kind="${kind}"`)) kinds[kind] += 1;
    }
    expect(kinds).toEqual({
      curl: operations.length,
      typescript: Object.keys(sdkExamples).length,
      cli: operationIds.filter((id) => cliExample(id) !== null).length,
    });
    expect(Object.keys(sdkExamples).filter((id) => !operationIds.includes(id))).toEqual([]);
    expect(documentedCommands.filter((command) => examples[command] === undefined)).toEqual([]);
    expect(sdkExampleText('readFile')).toBe("await client.files.read(workspaceId, '/docs/plan.md');");
  });
});
