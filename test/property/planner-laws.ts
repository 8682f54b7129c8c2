// What must be true of the planner, whatever it is given. A law throws and names the anomaly that it forbids. No `expect` here:
// it costs more than the planner, and ten million trees are judged.
import type { Mode } from '../../server/core/sync/plan.ts';
import { collides, type Model, modelOf, type Tree, type World } from './planner-model.ts';

const roundsMax = 200;
/** After so many rounds nothing is left out any more, so that the run can end. */
const faultyRounds = 8;

interface Sides {
  readonly base: Tree;
  readonly local: Tree;
  readonly workspace: Tree;
}

/** The sides become equal, and everyone's changes are in what they have become. */
export function comesTogether(given: World): void {
  const model = modelOf(given, 'two-way');
  const before = snapshotOf(model);
  bringToRest(model);
  mustEqual(model.local, model.workspace, 'A4: the sides differ at rest');
  mustEqual(model.base, model.workspace, 'A4: the base differs at rest');
  judge(before, model.workspace);
}

/** The side whose way is closed is never written, and what only the other side held is still there. */
export function keepsToItsWay(given: World, mode: Exclude<Mode, 'two-way'>): void {
  const model = modelOf(given, mode);
  const before = snapshotOf(model);
  bringToRest(model);
  const [closed, was] =
    mode === 'to-workspace' ? [model.local, before.local] : [model.workspace, before.workspace];
  mustEqual(closed, was, 'the closed side was written');
  const [open, openWas] =
    mode === 'to-workspace' ? [model.workspace, before.workspace] : [model.local, before.local];
  const kept = hashesOf(open);
  for (const [at, file] of openWas) {
    if (file.hash !== hashAt(before.base, at))
      must(kept.has(file.hash), `A1: ${at} of the written side is lost`);
  }
  if (mode !== 'to-folder') return;
  for (const at of model.workspace.keys()) must(model.local.has(at), `${at} did not come to the folder`);
}

function snapshotOf(model: Model): Sides {
  return { base: new Map(model.base), local: new Map(model.local), workspace: new Map(model.workspace) };
}

function bringToRest(model: Model): void {
  for (let rounds = 0; rounds < roundsMax; rounds += 1) {
    const plan = model.plan();
    if (model.isAtRest(plan)) return;
    model.apply(plan, rounds < faultyRounds);
  }
  throw new Error('A5: the planner never comes to rest');
}

function judge(before: Sides, end: Tree): void {
  const kept = hashesOf(end);
  for (const at of new Set([...before.base.keys(), ...before.local.keys(), ...before.workspace.keys()])) {
    const base = hashAt(before.base, at);
    const local = hashAt(before.local, at);
    const workspace = hashAt(before.workspace, at);
    const after = hashAt(end, at);
    if (local !== base && local !== null) must(kept.has(local), `A1: the folder's ${at} is lost`);
    if (workspace !== base && workspace !== null)
      must(after === workspace, `A1: the workspace's ${at} is lost: ${after}`);
    if (local === base && workspace === base)
      must(after === base, `A2, A3: untouched ${at} changed to ${after}`);
    if (local === base) must(after === workspace, `A7: ${at} did not follow the workspace: ${after}`);
    if (workspace === base && !collides(before.workspace, at))
      must(after === local, `A7: ${at} did not follow the folder: ${after}`);
  }
}

function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

function mustEqual(one: Tree, other: Tree, otherwise: string): void {
  const same = one.size === other.size && [...one].every(([at, file]) => other.get(at)?.hash === file.hash);
  if (!same) throw new Error(`${otherwise}: ${spelled(one)} and ${spelled(other)}`);
}

function spelled(tree: Tree): string {
  return JSON.stringify(Object.fromEntries([...tree].map(([at, file]) => [at, file.hash] as const).sort()));
}

function hashAt(tree: Tree, at: string): string | null {
  return tree.get(at)?.hash ?? null;
}

function hashesOf(tree: Tree): ReadonlySet<string> {
  return new Set([...tree.values()].map((file) => file.hash));
}
