// The words of the product's sources: names, comments and texts, each with its place. Texts are string literals and templates that
// hold more than one word, and the text between JSX tags.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export const root = path.resolve(import.meta.dirname, '../..');

export interface Passage {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

export interface Source {
  readonly file: string;
  readonly names: readonly Passage[];
  readonly comments: readonly Passage[];
  readonly texts: readonly Passage[];
}

export function trackedFiles(...folders: readonly string[]): readonly string[] {
  return execFileSync('git', ['ls-files', '-z', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '');
}

/** Stored words: tables, columns and the text of migrations keep their names. */
const stored = /^server\/store\/database\/(migrations\/|schema\.ts$)/;

export function productSources(): readonly Source[] {
  return trackedFiles('server', 'sdk', 'renderer', 'electron')
    .filter((file) => /\.tsx?$/.test(file) && !stored.test(file))
    .map((file) => readSource(file, readFileSync(path.join(root, file), 'utf8')));
}

export function readSource(file: string, text: string): Source {
  const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, kind);
  const names: Passage[] = [];
  const comments: Passage[] = [];
  const texts: Passage[] = [];
  const passage = (position: number, words: string): Passage => ({
    file,
    line: tree.getLineAndCharacterOfPosition(position).line + 1,
    text: words,
  });
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node))
      names.push(passage(node.getStart(tree), node.text.replace(/^#/, '')));
    else if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isJsxText(node)
    ) {
      if (/\S\s+\S/.test(node.text) || ts.isJsxText(node))
        texts.push(passage(node.getStart(tree), node.text.trim()));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  for (const match of text.matchAll(/(?<![^\s({[])\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/.*$/gm)) {
    const inText = texts.some(({ text: words }) => words.includes(match[0]));
    if (!inText) comments.push(passage(match.index, match[0]));
  }
  return { file, names, comments, texts: texts.filter((each) => each.text !== '') };
}
