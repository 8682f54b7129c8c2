// Adds the documentation to the bundle of the UI: pages without a script need of their own, one style, one script, one index.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { siteFiles } from './site.ts';

const folder = import.meta.dirname;

export function docsSitePlugin(root: string): Plugin {
  return {
    name: 'mooring-docs-site',
    generateBundle(_options, bundle) {
      const names = Object.keys(bundle);
      const fontFile = (font: string): string =>
        `/${names.find((name) => name.includes(font) && name.endsWith('.woff2')) ?? ''}`;
      const style = [
        fontFace('Inter', fontFile('inter-latin-wght')),
        fontFace('JetBrains Mono', fontFile('jetbrains-mono-latin-wght')),
        readFileSync(path.join(root, 'renderer/style/tokens.css'), 'utf8'),
        readFileSync(path.join(folder, 'site.css'), 'utf8'),
      ].join('\n');
      const minisearch = readFileSync(
        path.join(root, 'node_modules/minisearch/dist/es/index.js'),
        'utf8',
      ).replace(/\n\/\/# sourceMappingURL=.*/, '');
      const licence = readFileSync(path.join(root, 'node_modules/minisearch/LICENSE.txt'), 'utf8');
      const library = hashed('docs/minisearch', 'js', `/*! MiniSearch\n${licence}*/\n${minisearch}`);
      const script = hashed(
        'docs/site',
        'js',
        readFileSync(path.join(folder, 'site.js'), 'utf8').replace("'minisearch'", `'/${library.name}'`),
      );
      const sheet = hashed('docs/site', 'css', style);
      const pages = siteFiles(root, { style: `/${sheet.name}`, script: `/${script.name}` });
      for (const { name, text } of [library, script, sheet, ...pages])
        this.emitFile({ type: 'asset', fileName: name, source: text });
    },
  };
}

function fontFace(family: string, url: string): string {
  return `@font-face{font-family:"${family}";src:url("${url}") format("woff2");font-weight:100 900;font-display:swap}`;
}

/** `docs/site-1a2b3c4d.css`: caches may keep it forever. */
function hashed(name: string, extension: string, text: string) {
  const hash = createHash('sha256')
    .update(text)
    .digest('base64url')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 8);
  return { name: `${name}-${hash}.${extension}`, text };
}
