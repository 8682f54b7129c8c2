// Reads docs/glossary.md: terms with their place, retired names and retired phrases.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './product-text.ts';

export interface Term {
  readonly term: string;
  readonly names: readonly string[];
  readonly places: readonly string[];
}

export interface Retired {
  readonly words: string;
  readonly use: string;
}

export interface Glossary {
  readonly terms: readonly Term[];
  readonly names: readonly Retired[];
  readonly phrases: readonly Retired[];
}

function cellsOf(line: string): readonly string[] {
  return line
    .replaceAll('\\|', '¦')
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function quoted(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

export function readGlossary(): Glossary {
  const text = readFileSync(path.join(root, 'docs/glossary.md'), 'utf8');
  const terms: Term[] = [];
  const names: Retired[] = [];
  const phrases: Retired[] = [];
  for (const section of text.split('\n## ').slice(1)) {
    const rows = section
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (term|retired|word) /.test(line));
    for (const row of rows) {
      const cells = cellsOf(row);
      const [first = '', second = '', , , place = ''] = cells;
      if (section.startsWith('Retired names'))
        for (const words of quoted(first)) names.push({ words, use: second });
      else if (section.startsWith('Retired phrases'))
        for (const words of first.split(', ')) phrases.push({ words, use: second });
      else if (cells.length === 5) terms.push({ term: first, names: quoted(second), places: quoted(place) });
    }
  }
  return { terms, names, phrases };
}
