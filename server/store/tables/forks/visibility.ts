// Decides visibility in a fork. The workspace's current rules apply to each of its paths; rules that the fork has staged, and those
// at the time of a shown revision, can only restrict more. core/access decides.
import { aclFileName, effectivePermissions, effectiveRules, isAllowed } from '../../../core/access/acl.ts';
import type { AclFile } from '../../../core/change/decision.ts';
import type { AccessSubject, FileEntry } from '../../../core/entry.ts';
import { ancestorsOf, joinPath } from '../../../core/paths/path.ts';
import type { ReadStatements } from '../../database/statements.ts';
import { readAclFile } from '../files/entry-metadata.ts';
import { HistoryVisibility } from '../files/history.ts';
import { holdingOf } from './rows.ts';
import type { ForkView, VisibleFile } from './view.ts';

export class ForkVisibility {
  readonly #statements: ReadStatements;
  readonly #view: ForkView;
  readonly #access: AccessSubject | null;
  readonly #live: HistoryVisibility;
  readonly #hasOwnRules: boolean;
  readonly #aclFiles = new Map<string, AclFile | null>();

  constructor(statements: ReadStatements, view: ForkView, access: AccessSubject | null) {
    this.#statements = statements;
    this.#view = view;
    this.#access = access;
    this.#live = new HistoryVisibility(statements, view.fork.workspace, access);
    this.#hasOwnRules =
      statements.get(
        'SELECT 1 FROM access_rules WHERE workspace = ? LIMIT 1',
        holdingOf(view.fork.number),
      ) !== undefined;
  }

  /** true: the fork hides only what the workspace hides. */
  get addsNothing(): boolean {
    return this.#access === null || !this.#hasOwnRules;
  }

  /** true: nothing is hidden. */
  get isOpen(): boolean {
    return this.addsNothing && this.#live.isOpen;
  }

  allows({ entry, rules }: VisibleFile): boolean {
    return (
      this.#access === null ||
      (this.#live.canRead({ path: entry.path, rules }) &&
        this.#allowsHere(entry.path, entry.semantics.permissions ?? []))
    );
  }

  /** For an unused path: by the rules of the directories above. */
  allowsNew(path: string): boolean {
    return this.#access === null || (this.#live.canReadPath(path) && this.#allowsHere(path, []));
  }

  effectivePermissions({ path, semantics }: FileEntry): readonly string[] {
    return effectivePermissions(
      this.aclFilesAbove(path).map(({ permissions }) => permissions),
      semantics.permissions ?? [],
    );
  }

  /** As the fork shows them, outermost first. */
  aclFilesAbove(path: string): readonly AclFile[] {
    return ancestorsOf(path).flatMap((directory) => this.#aclFileAt(directory) ?? []);
  }

  #allowsHere(path: string, own: readonly string[]): boolean {
    if (!this.#hasOwnRules) return true;
    const inherited = this.aclFilesAbove(path).map(({ permissions }) => permissions);
    return isAllowed(effectiveRules(inherited, own), this.#access);
  }

  #aclFileAt(directory: string): AclFile | null {
    let aclFile = this.#aclFiles.get(directory);
    if (aclFile === undefined) {
      const { fork } = this.#view;
      const staged = this.#view.staged(joinPath(directory, aclFileName));
      const holding = staged === null ? fork.workspace : holdingOf(fork.number);
      aclFile = readAclFile(this.#statements, holding, directory);
      this.#aclFiles.set(directory, aclFile);
    }
    return aclFile;
  }
}
