// The notices that the licences of bundled packages ask for: every package that ships, with the packages that these need, and
// the words it comes with. Made at build from what is installed. The UI shows them; THIRD_PARTY_LICENSES.txt lies beside it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import layers from './layers.cjs';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  /** As its package.json says. */
  readonly license: string;
  /** The texts it ships; empty: it ships none. */
  readonly text: string;
}

/** The rows of the import table whose packages are bundled although they are not installed with the agent. */
const bundledRows = ['electron', 'renderer'];
/** The runtime brings its own LICENSE and LICENSES.chromium.html. */
const runtime = 'electron';
const noticeName = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** Everything that ships, by name. Error: a package is not installed. */
export function thirdPartyPackages(root: string): readonly ThirdParty[] {
  const own = manifestOf(root);
  const patterns = layers.rows
    .filter((row) => bundledRows.includes(row.name))
    .flatMap((row) => row.npm ?? [])
    .filter((pattern) => pattern !== runtime);
  const bundled = Object.keys(own.devDependencies ?? {}).filter((name) =>
    patterns.some((pattern) =>
      pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    ),
  );
  const packages = new Map<string, ThirdParty>();
  const waiting = [...Object.keys(own.dependencies ?? {}), ...bundled].map((name) => ({ name, from: root }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const folder = folderOf(next.name, next.from, root);
    if (folder === null) throw new Error(`${next.name} is not installed; run npm ci`);
    const manifest = manifestOf(folder);
    const id = `${manifest.name} ${manifest.version}`;
    if (packages.has(id)) continue;
    packages.set(id, {
      name: manifest.name,
      version: manifest.version,
      license: manifest.license ?? 'not stated',
      text: textOf(folder),
    });
    const optional = Object.keys(manifest.optionalDependencies ?? {});
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      if (!optional.includes(name) || folderOf(name, folder, root) !== null)
        waiting.push({ name, from: folder });
    }
  }
  return [...packages.values()].sort((a, b) =>
    `${a.name} ${a.version}`.localeCompare(`${b.name} ${b.version}`),
  );
}

/** Packages with the same licence text are listed together above it. */
export function thirdPartyNotices(packages: readonly ThirdParty[]): string {
  const byText = Map.groupBy(packages, (each) => each.text);
  const sections = [...byText].map(([text, group]) => {
    const names = group.map(({ name, version, license }) => `${name} ${version} (${license})`).join('\n');
    return text === ''
      ? `${names}\n\nShipped without a text of its own; its licence is named above.`
      : `${names}\n\n${text}`;
  });
  const line = `\n\n${'-'.repeat(60)}\n\n`;
  return `Mooring contains these packages.${line}${sections.join(line)}\n`;
}

/** Fills `renderer/third-party.ts`, and puts the same text beside the page. */
export function thirdPartyPlugin(root: string): Plugin {
  const module = path.join(root, 'renderer/third-party.ts');
  return {
    name: 'third-party-notices',
    apply: 'build',
    load(id) {
      if (path.normalize(id) !== module) return null;
      const text = thirdPartyNotices(thirdPartyPackages(root));
      this.emitFile({ type: 'asset', fileName: 'THIRD_PARTY_LICENSES.txt', source: text });
      return `export const thirdPartyNotices = ${JSON.stringify(text)};`;
    },
  };
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** As Node finds a package: in the nearest `node_modules` above. */
function folderOf(name: string, from: string, root: string): string | null {
  for (let at = from; ; at = path.dirname(at)) {
    const folder = path.join(at, 'node_modules', name);
    if (existsSync(path.join(folder, 'package.json'))) return folder;
    if (at === root) return null;
  }
}

function textOf(folder: string): string {
  return readdirSync(folder)
    .filter((name) => noticeName.test(name))
    .sort()
    .map((name) => readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n');
}
