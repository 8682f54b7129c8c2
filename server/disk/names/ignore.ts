// The ignore rules (docs/sync-rules.md#17): the built-in list, and the `.mooringignore` files of the folder in gitignore syntax.
// They apply in both directions, so disk worker and loop share them. No I/O.
import ignore, { type Ignore } from 'ignore';
import { ancestorsOf, comparePaths, joinPath, nameOf, parentOf } from '../../core/paths/path.ts';
import type { IgnoreFile } from '../port/folder.ts';

export const ignoreFileName = '.mooringignore';
export const privateFolderName = '.mooring';
/** Temporary files of the writer. Only the journal knows which of them may be removed. */
export const tempPrefix = '.mooring-tmp-';

/**
 * A `.mooringignore` beyond one of these is not applied, and nothing below it is synced until it is: rules that cannot be known must
 * neither upload what they hid nor delete anything. A path is compared with each rule that applies to it, which takes a
 * microsecond or two for each.
 */
export const ignoreFileBytesMax = 1024 * 1024;
/** Rules of one file; comments and empty lines do not count. */
export const ignoreRulesMax = 1000;
/** Characters of all rules of one file: a first comparison compiles them. */
export const ignoreRuleCharactersMax = 64 * 1024;
/** Rules of all files from the root down to a directory. */
const ignoreRulesOfPathMax = 2000;

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
 * minutes, so that a single rule file could stop the agent. With two it takes a millisecond.
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

/** Why a rule file is not applied. */
export interface RuleFault {
  /** The rule file. */
  readonly path: string;
  readonly cause: string;
}

interface RuleFile {
  /** null: larger than `ignoreFileBytesMax`. */
  readonly text: string | null;
  /** null: not applied. */
  readonly rules: Ignore | null;
  readonly count: number;
  readonly fault: string | null;
}

export class IgnoreRules {
  readonly #byDirectory = new Map<string, RuleFile>();
  /** Faults by directory, with those that follow from the files above; forgotten with any change. */
  readonly #faults = new Map<string, string | null>();
  readonly #hasBuiltIn: boolean;

  /** `hasBuiltIn`: the built-in list applies as well. */
  constructor({ hasBuiltIn = true }: { readonly hasBuiltIn?: boolean } = {}) {
    this.#hasBuiltIn = hasBuiltIn;
  }

  /** null removes the directory's rules. Returns whether anything changed. */
  set(directory: string, text: string | null): boolean {
    const known = this.#byDirectory.get(directory);
    if (text === null) {
      if (known === undefined) return false;
      this.#byDirectory.delete(directory);
    } else {
      if (known !== undefined && known.text === text) return false;
      this.#byDirectory.set(directory, ruleFileOf(text));
    }
    this.#faults.clear();
    return true;
  }

  /** The directory's rule file is larger than one may be. Returns whether that is new. */
  setOversize(directory: string): boolean {
    const known = this.#byDirectory.get(directory);
    if (known !== undefined && known.text === null) return false;
    const fault = `It is larger than ${ignoreFileBytesMax} bytes`;
    this.#byDirectory.set(directory, { text: null, rules: null, count: 0, fault });
    this.#faults.clear();
    return true;
  }

  /** Forgets the rules at and below a directory that is gone. */
  forget(directory: string): boolean {
    let changed = false;
    for (const known of [...this.#byDirectory.keys()]) {
      if (known === directory || known.startsWith(`${directory}/`))
        changed = this.#byDirectory.delete(known) || changed;
    }
    if (changed) this.#faults.clear();
    return changed;
  }

  get isEmpty(): boolean {
    return this.#byDirectory.size === 0;
  }

  files(): readonly IgnoreFile[] {
    return [...this.#byDirectory]
      .map(([directory, { text }]) => ({ directory, text }))
      .sort((left, right) => comparePaths(left.directory, right.directory));
  }

  static from(files: readonly IgnoreFile[]): IgnoreRules {
    const rules = new IgnoreRules();
    for (const { directory, text } of files) {
      if (text === null) rules.setOversize(directory);
      else rules.set(directory, text);
    }
    return rules;
  }

  /** The rule files that are not applied, in order. */
  faults(): readonly RuleFault[] {
    return [...this.#byDirectory.keys()]
      .sort(comparePaths)
      .flatMap((directory) => this.#faultIn(directory) ?? []);
  }

  /** Why everything at a path is left alone; null: no rule file above it is at fault. */
  faultAbove(path: string): RuleFault | null {
    for (const directory of ancestorsOf(path)) {
      const fault = this.#faultIn(directory);
      if (fault !== null) return fault;
    }
    return null;
  }

  #faultIn(directory: string): RuleFault | null {
    const cause = this.#causeIn(directory);
    return cause === null ? null : { path: joinPath(directory, ignoreFileName), cause };
  }

  #causeIn(directory: string): string | null {
    const file = this.#byDirectory.get(directory);
    if (file === undefined) return null;
    if (file.fault !== null) return file.fault;
    const known = this.#faults.get(directory);
    if (known !== undefined) return known;
    const count = [...ancestorsOf(directory), directory].reduce(
      (sum, each) => sum + (this.#byDirectory.get(each)?.count ?? 0),
      0,
    );
    const cause =
      count > ignoreRulesOfPathMax
        ? `With the rule files above it, it has ${count} rules; ${ignoreRulesOfPathMax} are applied at most`
        : null;
    this.#faults.set(directory, cause);
    return cause;
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
    if (this.#hasBuiltIn && isBuiltInIgnored(nameOf(path))) return true;
    if (this.#byDirectory.size === 0) return false;
    // The nearest rule file that has an opinion decides, as in git.
    for (let directory = parentOf(path); directory !== null; directory = parentOf(directory)) {
      const file = this.#byDirectory.get(directory);
      if (file === undefined) continue;
      // It alone is synced, so that it can be repaired on either side.
      if (file.rules === null || this.#causeIn(directory) !== null)
        return path !== joinPath(directory, ignoreFileName);
      const { rules } = file;
      const relative = path.slice(directory === '/' ? 1 : directory.length + 1);
      const verdict = rules.test(isDirectory ? `${relative}/` : relative);
      if (verdict.ignored) return true;
      if (verdict.unignored) return false;
    }
    return false;
  }
}

function ruleFileOf(text: string): RuleFile {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const characters = lines.reduce((sum, line) => sum + line.length, 0);
  const count = lines.length;
  if (count > ignoreRulesMax)
    return {
      text,
      rules: null,
      count,
      fault: `It has ${count} rules; ${ignoreRulesMax} are applied at most`,
    };
  if (characters > ignoreRuleCharactersMax) {
    const fault = `Its rules have ${characters} characters; ${ignoreRuleCharactersMax} are applied at most`;
    return { text, rules: null, count, fault };
  }
  return { text, rules: ignore({ ignorecase: false }).add(bounded(lines.join('\n'))), count, fault: null };
}
