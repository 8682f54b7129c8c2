// The planner's world in small: a tree as both sides agreed on it, changed on either side by whatever is drawn, and appliers as
// careful as the real ones. It judges nothing (planner.test.ts does).
import fc from 'fast-check';
import { ancestorsOf, isWithin } from '../../server/core/paths/path.ts';
import type { Mode, Plan, Trees } from '../../server/core/sync/plan.ts';
import { reconcile } from '../../server/core/sync/reconcile.ts';

export interface File {
  readonly hash: string;
  readonly inode: string;
}
export type Tree = Map<string, File>;

interface Edit {
  readonly side: 'local' | 'workspace';
  readonly verb: 'write' | 'delete' | 'move';
  readonly from: number;
  readonly to: string;
  readonly content: number;
}

const segment = fc.constantFrom('a', 'b', 'c');
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => `/${segments.join('/')}`);
const edit: fc.Arbitrary<Edit> = fc.record({
  side: fc.constantFrom('local', 'workspace'),
  verb: fc.constantFrom('write', 'write', 'delete', 'move'),
  from: fc.nat(),
  to: path,
  content: fc.nat(5),
});
export const world = fc.record({
  base: fc.array(fc.tuple(path, fc.nat(3)), { maxLength: 6 }),
  edits: fc.array(edit, { maxLength: 8 }),
  /** Directories of the folder that also hold something that is never synced. */
  hidden: fc.array(path, { maxLength: 2 }),
  knowsBase: fc.boolean(),
  seed: fc.nat(),
});
export type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

export function modelOf(given: World, mode: Mode): Model {
  const start: Tree = new Map();
  let inodes = 0;
  const newInode = () => {
    inodes += 1;
    return String(inodes);
  };
  for (const [at, content] of given.base) {
    if (fits(start, at)) start.set(at, { hash: `base${content}`, inode: newInode() });
  }
  const model = new Model(start, given.seed, given.knowsBase, mode);
  for (const change of given.edits) perturb(model, change, newInode);
  for (const at of given.hidden)
    if (![...model.local.keys()].some((file) => isWithin(file, at))) model.hidden.add(at);
  return model;
}

/** The trees, and appliers as careful as the real ones: what is not as planned is left alone. */
export class Model {
  readonly base: Tree;
  readonly local: Tree;
  readonly workspace: Tree;
  readonly hidden = new Set<string>();
  /** Learnt by failing: a directory with unknown things in it stands where a file should go. */
  readonly #inTheWay = new Set<string>();
  #random: number;
  readonly #mode: Mode;
  #copies = 0;

  constructor(start: Tree, seed: number, knowsBase: boolean, mode: Mode) {
    this.#mode = mode;
    this.base = new Map(knowsBase ? start : []);
    this.local = new Map(start);
    this.workspace = new Map(start);
    this.#random = seed >>> 0;
  }

  plan(): Plan {
    const trees: Trees = {
      candidates: [
        ...this.base.keys(),
        ...this.local.keys(),
        ...this.workspace.keys(),
        ...this.#inTheWay,
      ].filter((at) => this.#differs(at)),
      base: (at) => this.base.get(at) ?? null,
      local: (at) => {
        const file = this.local.get(at);
        if (file !== undefined) return { kind: 'file', ...file };
        return this.#inTheWay.has(at) && this.#isDirectory(at) ? { kind: 'directory' } : null;
      },
      workspace: (at) => {
        const file = this.workspace.get(at);
        return file === undefined ? null : { kind: 'file', hash: file.hash };
      },
      localHolds: (at) => holds(this.local, at),
      workspaceHolds: (at) => holds(this.workspace, at),
    };
    return reconcile(trees, this.#mode);
  }

  /** Confirming what the base says already is not work. */
  isAtRest(plan: Plan): boolean {
    const news = plan.toBase.filter(({ path: at, hash }) => (this.base.get(at)?.hash ?? null) !== hash);
    const { toLocal, toWorkspace, conflicts, conflictCopies } = plan;
    return [toLocal, toWorkspace, conflicts, conflictCopies, news].every((steps) => steps.length === 0);
  }

  apply(plan: Plan, faulty: boolean): void {
    const steps = [
      ...plan.toLocal.map((action) => () => this.#toLocal(action)),
      ...plan.toWorkspace.map((group) => () => this.#toWorkspace(group)),
      ...plan.toBase.map((action) => () => this.#toBase(action.path)),
      ...plan.conflicts.map((conflict) => () => this.#stepAside(conflict)),
      ...plan.conflictCopies.map((conflict) => () => this.#putBeside(conflict)),
    ];
    for (let at = steps.length - 1; at > 0; at -= 1) {
      const other = this.#draw(at + 1);
      [steps[at], steps[other]] = [steps[other] as () => void, steps[at] as () => void];
    }
    for (const step of steps) if (!faulty || this.#draw(3) !== 0) step();
  }

  #toLocal(action: Plan['toLocal'][number]): void {
    if ((this.local.get(action.path)?.hash ?? null) !== action.expected) return;
    if (action.kind === 'remove') {
      this.local.delete(action.path);
    } else {
      if (ancestorsOf(action.path).some((at) => this.local.has(at))) return;
      if (this.#isDirectory(action.path)) {
        this.#inTheWay.add(action.path);
        return;
      }
      this.local.set(action.path, { hash: action.hash, inode: `w${this.#draw(1_000_000)}` });
    }
    // A crash between the act and the base row is the same as a base row that is missing.
    if (this.#draw(4) !== 0) this.#toBase(action.path);
  }

  #toWorkspace(group: Plan['toWorkspace'][number]): void {
    const trial = new Map(this.workspace);
    for (const action of group) {
      if (action.kind === 'move') {
        if (trial.get(action.from)?.hash !== action.hash || trial.has(action.path)) return;
        trial.delete(action.from);
      } else if ((trial.get(action.path)?.hash ?? null) !== action.expected) {
        return;
      }
      if (action.kind === 'delete') {
        trial.delete(action.path);
        continue;
      }
      if (!fits(trial, action.path)) return;
      trial.set(action.path, { hash: action.hash, inode: '' });
    }
    this.workspace.clear();
    for (const [at, file] of trial) this.workspace.set(at, file);
    if (this.#draw(4) === 0) return;
    for (const action of group) {
      this.#toBase(action.path);
      if (action.kind === 'move') this.#toBase(action.from);
    }
  }

  #toBase(at: string): void {
    const local = this.local.get(at);
    if (local?.hash !== this.workspace.get(at)?.hash) return;
    if (local === undefined) this.base.delete(at);
    else this.base.set(at, local);
  }

  #stepAside(conflict: Plan['conflicts'][number]): void {
    this.#copies += 1;
    const copy = `${conflict.path} (copy ${this.#copies})`;
    for (const [at, file] of [...this.local]) {
      if (!isWithin(conflict.path, at)) continue;
      this.local.delete(at);
      this.local.set(copy + at.slice(conflict.path.length), file);
    }
    for (const at of [...this.hidden]) {
      if (!isWithin(conflict.path, at)) continue;
      this.hidden.delete(at);
      this.hidden.add(copy + at.slice(conflict.path.length));
    }
  }

  #putBeside(conflict: Plan['conflictCopies'][number]): void {
    const local = this.local.get(conflict.path);
    if (local === undefined || local.hash !== conflict.localHash) return;
    this.#copies += 1;
    this.workspace.set(`${conflict.path} (copy ${this.#copies})`, { hash: local.hash, inode: '' });
    this.base.set(conflict.path, local);
  }

  #isDirectory(at: string): boolean {
    return holds(this.local, at) || [...this.hidden].some((directory) => isWithin(at, directory));
  }

  #differs(at: string): boolean {
    const local = this.local.get(at);
    const base = this.base.get(at);
    return (
      local?.hash !== base?.hash ||
      local?.hash !== this.workspace.get(at)?.hash ||
      local?.inode !== base?.inode
    );
  }

  #draw(below: number): number {
    // A linear congruential generator: the seed is part of the failing example.
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0;
    return (this.#random >>> 8) % below;
  }
}

function perturb(model: Model, change: Edit, newInode: () => string): void {
  const tree = change.side === 'local' ? model.local : model.workspace;
  const paths = [...tree.keys()];
  const from = paths[change.from % Math.max(1, paths.length)];
  if (change.verb === 'write') {
    const old = tree.get(change.to);
    if (old !== undefined || fits(tree, change.to)) {
      tree.set(change.to, { hash: `new${change.content}`, inode: old?.inode ?? newInode() });
    }
  } else if (from !== undefined && change.verb === 'delete') {
    tree.delete(from);
  } else if (from !== undefined) {
    const file = tree.get(from) as File;
    tree.delete(from);
    tree.set(fits(tree, change.to) ? change.to : from, file);
  }
}

/** May a file stand here, or does a file stand above it, or a directory at it? */
function fits(tree: Tree, at: string): boolean {
  return !holds(tree, at) && !ancestorsOf(at).some((ancestor) => tree.has(ancestor));
}

function holds(tree: Tree, directory: string): boolean {
  return [...tree.keys()].some((at) => at !== directory && isWithin(directory, at));
}

export function collides(tree: Tree, at: string): boolean {
  return !fits(tree, at) && !tree.has(at);
}
