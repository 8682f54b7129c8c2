// Decides visibility for pages of many entries: loads rules and counts by them, while core/access decides. The paths with rules are
// a short list, so nothing here walks a subtree.
import { effectivePermissions, effectiveRules, isAllowed } from '../../../core/access/acl.ts';
import type { AccessSubject, FileEntry } from '../../../core/entry.ts';
import { parentOf } from '../../../core/paths/path.ts';
import { endOfSubtree, startOfSubtree } from '../../database/rows.ts';
import type { ReadStatements } from '../../database/statements.ts';

interface RuleRow {
  readonly path: string;
  readonly is_marker: number;
  readonly permissions: string;
}

/** Permissions of the ACL files at or above a directory, outermost first. */
type Inherited = readonly (readonly string[])[];

const selectAnyRule = 'SELECT 1 FROM access_rules WHERE workspace = ? LIMIT 1';

/** The rules of a workspace, for the statements of one consistent read. */
export class AccessView {
  readonly #statements: ReadStatements;
  readonly #workspace: number;
  readonly #subject: AccessSubject | null;
  /** false: no path of the workspace has a rule, so everything is visible. */
  readonly hasRules: boolean;
  readonly #inherited = new Map<string, Inherited>();

  /** `hasRules`: where it was read already. */
  constructor(
    statements: ReadStatements,
    workspace: number,
    subject: AccessSubject | null,
    hasRules: boolean = statements.get(selectAnyRule, workspace) !== undefined,
  ) {
    this.#statements = statements;
    this.#workspace = workspace;
    this.#subject = subject;
    this.hasRules = hasRules;
  }

  /** true: no decision differs from "visible". */
  get isOpen(): boolean {
    return this.#subject === null || !this.hasRules;
  }

  allowsFile(file: Pick<FileEntry, 'path' | 'semantics'>): boolean {
    return (
      this.isOpen || this.#allows(this.#inheritedAt(parentOf(file.path) ?? '/'), file.semantics.permissions)
    );
  }

  /** The decision for an unused path: by the ACL files above it. */
  allowsNew(path: string): boolean {
    return this.isOpen || this.#allows(this.#inheritedAt(parentOf(path) ?? '/'), undefined);
  }

  /** Markers' permissions and the file's own, tags included. */
  effectivePermissions(file: FileEntry): readonly string[] {
    const own = file.semantics.permissions ?? [];
    if (!this.hasRules) return own;
    return effectivePermissions(this.#inheritedAt(parentOf(file.path) ?? '/'), own);
  }

  /** Files below a directory that the subject may see, of `files` in all. */
  visibleFiles(directory: string, files: number): number {
    if (this.isOpen) return files;
    const rules = this.#statements.all<RuleRow>(
      `SELECT path, is_marker, permissions FROM access_rules WHERE workspace = ? AND path > ? AND path < ? ORDER BY path`,
      this.#workspace,
      startOfSubtree(directory),
      endOfSubtree(directory),
    );
    return this.#countVisible(directory, files, rules);
  }

  /**
   * All files of a region share one decision: the files below a directory with an ACL file, without those below further ACL files.
   * Only files with rules of their own are decided individually. `rules` are those strictly below.
   */
  #countVisible(directory: string, files: number, rules: readonly RuleRow[]): number {
    const regions = new Map([[directory, files]]);
    for (const { path, is_marker } of rules) {
      if (is_marker === 1) regions.set(path, this.#filesBelow(path));
    }
    let visible = 0;
    for (const { path, is_marker, permissions } of rules) {
      const region = regionOf(path, regions);
      const inRegion = regions.get(region) ?? 0;
      if (is_marker === 1) regions.set(region, inRegion - this.#filesBelow(path));
      else {
        regions.set(region, inRegion - 1);
        if (this.#allows(this.#inheritedAt(region), JSON.parse(permissions) as string[])) visible += 1;
      }
    }
    for (const [region, plainFiles] of regions) {
      if (plainFiles > 0 && this.#allows(this.#inheritedAt(region), undefined)) visible += plainFiles;
    }
    return visible;
  }

  #filesBelow(directory: string): number {
    const row = this.#statements.get<{ files: number | null }>(
      'SELECT files FROM entries WHERE workspace = ? AND path = ?',
      this.#workspace,
      directory,
    );
    return row?.files ?? 0;
  }

  #allows(inherited: Inherited, own: readonly string[] | undefined): boolean {
    return isAllowed(effectiveRules(inherited, own ?? []), this.#subject);
  }

  #inheritedAt(directory: string): Inherited {
    const known = this.#inherited.get(directory);
    if (known !== undefined) return known;
    const parent = parentOf(directory);
    const above = parent === null ? [] : this.#inheritedAt(parent);
    const row = this.#statements.get<{ permissions: string }>(
      'SELECT permissions FROM access_rules WHERE workspace = ? AND path = ? AND is_marker = 1',
      this.#workspace,
      directory,
    );
    const inherited = row === undefined ? above : [...above, JSON.parse(row.permissions) as string[]];
    this.#inherited.set(directory, inherited);
    return inherited;
  }
}

/** The nearest directory above the path that starts a region. */
function regionOf(path: string, regions: ReadonlyMap<string, number>): string {
  for (let above = parentOf(path); above !== null; above = parentOf(above)) {
    if (regions.has(above)) return above;
  }
  throw new Error(`${path} lies outside of the counted directory`);
}
