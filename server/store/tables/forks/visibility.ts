// Who sees what in a fork. The workspace's rules of today hold for every path of it; rules that the fork itself has staged, and
// those of the time from which a state is shown, can only take more away. core/acl alone decides.
import { aclMarkerName, effectivePermissions, effectiveRules, isAllowed } from '../../../core/access/acl.ts';
import type { Marker } from '../../../core/change/decision.ts';
import type { AccessSubject, FileEntry } from '../../../core/entry.ts';
import { ancestorsOf, joinPath } from '../../../core/paths/path.ts';
import type { Statements } from '../../database/sqlite.ts';
import { HistorySight } from '../files/history.ts';
import { holdingOf } from './rows.ts';
import type { ForkView, SeenFile } from './view.ts';

export class ForkSight {
  readonly #statements: Statements;
  readonly #view: ForkView;
  readonly #access: AccessSubject | null;
  readonly #live: HistorySight;
  readonly #hasOwnRules: boolean;
  readonly #markers = new Map<string, Marker | null>();

  constructor(statements: Statements, view: ForkView, access: AccessSubject | null) {
    this.#statements = statements;
    this.#view = view;
    this.#access = access;
    this.#live = new HistorySight(statements, view.fork.workspace, access);
    this.#hasOwnRules =
      statements.get(
        'SELECT 1 FROM access_rules WHERE workspace = ? LIMIT 1',
        holdingOf(view.fork.number),
      ) !== undefined;
  }

  /** true: what the fork shows is hidden only where the workspace hides it. */
  get addsNothing(): boolean {
    return this.#access === null || !this.#hasOwnRules;
  }

  /** true: nothing at all is hidden. */
  get isOpen(): boolean {
    return this.addsNothing && this.#live.isOpen;
  }

  allows({ entry, rules }: SeenFile): boolean {
    return (
      this.#access === null ||
      (this.#live.sees({ path: entry.path, rules }) &&
        this.#allowsHere(entry.path, entry.semantics.permissions ?? []))
    );
  }

  /** Where nothing stands: by the rules of the directories above. */
  allowsNew(path: string): boolean {
    return this.#access === null || (this.#live.seesPath(path) && this.#allowsHere(path, []));
  }

  effectivePermissions({ path, semantics }: FileEntry): readonly string[] {
    return effectivePermissions(
      this.markersAbove(path).map(({ permissions }) => permissions),
      semantics.permissions ?? [],
    );
  }

  /** As the fork shows them, outermost first. */
  markersAbove(path: string): readonly Marker[] {
    return ancestorsOf(path).flatMap((directory) => this.#markerAt(directory) ?? []);
  }

  #allowsHere(path: string, own: readonly string[]): boolean {
    if (!this.#hasOwnRules) return true;
    const inherited = this.markersAbove(path).map(({ permissions }) => permissions);
    return isAllowed(effectiveRules(inherited, own), this.#access);
  }

  #markerAt(directory: string): Marker | null {
    let marker = this.#markers.get(directory);
    if (marker === undefined) {
      const { fork } = this.#view;
      const staged = this.#view.staged(joinPath(directory, aclMarkerName));
      marker =
        staged === null
          ? markerRow(this.#statements, fork.workspace, directory)
          : markerRow(this.#statements, holdingOf(fork.number), directory);
      this.#markers.set(directory, marker);
    }
    return marker;
  }
}

/** The workspace's own of today. */
export function liveMarkersAbove(statements: Statements, workspace: number, path: string): readonly Marker[] {
  return ancestorsOf(path).flatMap((directory) => markerRow(statements, workspace, directory) ?? []);
}

function markerRow(statements: Statements, holding: number, directory: string): Marker | null {
  const row = statements.get<{ permissions: string }>(
    'SELECT permissions FROM access_rules WHERE workspace = ? AND path = ? AND is_marker = 1',
    holding,
    directory,
  );
  return row === undefined ? null : { directory, permissions: JSON.parse(row.permissions) as string[] };
}
