// What is never mirrored (sync-engine rule 17): the built-in list, and the `.mooringignore` files of the folder in gitignore
// syntax. It holds in both directions, so worker and loop ask the same rules. It never touches the disk.
import ignore, { type Ignore } from 'ignore';
import { ancestorsOf, comparePaths, nameOf, parentOf } from '../core/path.ts';
import type { IgnoreFile } from './folder.ts';

export const ignoreFileName = '.mooringignore';
export const privateFolderName = '.mooring';
/** Temporary files of the writer. Only the journal knows which of them may be removed. */
export const tempPrefix = '.mooring-tmp-';

/** A `.mooringignore` beyond this is not a rule file. */
export const ignoreFileBytesMax = 1024 * 1024;

const builtInNames = new Set([
  privateFolderName,
  '.git',
  '.hg',
  '.svn',
  '.bzr',
  '_darcs',
  '.jj',
  '.DS_Store',
  'Thumbs.db',
  'desktop.ini',
]);
const builtInPatterns = [
  /^\.mooring-tmp-/,
  /^\.#/,
  /\.sw[pox]$/,
  /~$/,
  /^\.~lock\..*#$/,
  /^\.goutputstream-/,
  /___jb_/,
  // What macOS sets beside a file while it saves safely.
  /\.sb-[0-9a-f]{8}-[A-Za-z0-9]{6}$/,
];

export function isBuiltInIgnored(name: string): boolean {
  return builtInNames.has(name) || builtInPatterns.some((pattern) => pattern.test(name));
}

/**
 * Each `**` between two names is tried at every depth below the one before it: with six of them one path of a hundred names takes
 * minutes, and whoever may write a rule file stops the agent. With two it takes a millisecond.
 */
const innerGlobstarsMax = 2;

/** The rules, none of which takes long to ask. One with more `**` than that hides all below the last one that it may have. */
function bounded(text: string): string {
  return text.includes('**') ? text.split('\n').map(boundedRule).join('\n') : text;
}

function boundedRule(rule: string): string {
  const names = rule.split('/').filter((name, at, all) => name !== '**' || all[at - 1] !== '**');
  const inner = [...names.keys()].filter((at) => names[at] === '**' && at > 0 && at < names.length - 1);
  const cut = inner[innerGlobstarsMax];
  if (cut === undefined) return rule;
  // To show more than was meant would be the greater harm.
  return rule.startsWith('!') ? '' : names.slice(0, cut + 1).join('/');
}

export class IgnoreRules {
  readonly #byDirectory = new Map<string, { readonly text: string; readonly rules: Ignore }>();

  /** null removes the directory's rules. Returns whether anything changed. */
  set(directory: string, text: string | null): boolean {
    if ((this.#byDirectory.get(directory)?.text ?? null) === text) return false;
    if (text === null) this.#byDirectory.delete(directory);
    else this.#byDirectory.set(directory, { text, rules: ignore({ ignorecase: false }).add(bounded(text)) });
    return true;
  }

  /** Forgets the rules at and below a directory that is gone. */
  forget(directory: string): boolean {
    let changed = false;
    for (const known of [...this.#byDirectory.keys()]) {
      if (known === directory || known.startsWith(`${directory}/`))
        changed = this.#byDirectory.delete(known) || changed;
    }
    return changed;
  }

  files(): readonly IgnoreFile[] {
    return [...this.#byDirectory]
      .map(([directory, { text }]) => ({ directory, text }))
      .sort((left, right) => comparePaths(left.directory, right.directory));
  }

  static from(files: readonly IgnoreFile[]): IgnoreRules {
    const rules = new IgnoreRules();
    for (const file of files) rules.set(file.directory, file.text);
    return rules;
  }

  /** Is this path ignored, itself or through a directory above it? For callers that know nothing about its parents. */
  ignores(path: string, isDirectory = false): boolean {
    for (const ancestor of ancestorsOf(path)) {
      if (ancestor !== '/' && this.ignoresHere(ancestor, true)) return true;
    }
    return this.ignoresHere(path, isDirectory);
  }

  /** The same when it is known that no parent is ignored. */
  ignoresHere(path: string, isDirectory: boolean): boolean {
    if (isBuiltInIgnored(nameOf(path))) return true;
    if (this.#byDirectory.size === 0) return false;
    // The nearest rule file that has an opinion decides, as in git.
    for (let directory = parentOf(path); directory !== null; directory = parentOf(directory)) {
      const rules = this.#byDirectory.get(directory)?.rules;
      if (rules === undefined) continue;
      const relative = path.slice(directory === '/' ? 1 : directory.length + 1);
      const verdict = rules.test(isDirectory ? `${relative}/` : relative);
      if (verdict.ignored) return true;
      if (verdict.unignored) return false;
    }
    return false;
  }
}
