import { expect, it } from 'vitest';
import { reconcile } from '../../../server/core/sync/reconcile.ts';
import { type Observed, ruleOf, rules, ruleText, type SyncRule } from '../../../server/core/sync/rules.ts';
import { trees } from './reconcile-fixtures.ts';

const contents = [null, 'A', 'B', 'C'] as const;
const all: readonly Observed[] = contents.flatMap((base) =>
  contents.flatMap((folder) => contents.map((workspace) => ({ base, folder, workspace }))),
);

/** What the planner does with a single path, in one word. */
function planned({ base, folder, workspace }: Observed): string {
  const plan = reconcile(
    trees(
      base === null ? {} : { '/a': { hash: base, inode: '1' } },
      folder === null ? {} : { '/a': { kind: 'file', hash: folder, inode: '2' } },
      workspace === null ? {} : { '/a': { kind: 'file', hash: workspace } },
    ),
  );
  const [local] = plan.toLocal;
  const [[there] = []] = plan.toWorkspace;
  if (plan.conflicts.length > 0) return 'conflict';
  return local?.kind ?? there?.kind ?? 'nothing';
}

const does: Readonly<Record<SyncRule, string>> = {
  absent: 'nothing',
  equal: 'nothing',
  folder_added: 'write',
  folder_edited: 'write',
  folder_deleted: 'delete',
  workspace_added: 'put',
  workspace_edited: 'put',
  workspace_deleted: 'remove',
  folder_edit_beats_deletion: 'write',
  workspace_edit_beats_deletion: 'put',
  both_added: 'conflict',
  both_edited: 'conflict',
};

it('names for every three states the rule that the planner follows', () => {
  for (const observed of all)
    expect([observed, planned(observed)]).toEqual([observed, does[ruleOf(observed)]]);
  expect(new Set(all.map(ruleOf))).toEqual(new Set(rules));
});

it('has words for every rule in every mode, and other words where a way is closed', () => {
  for (const rule of rules) expect(ruleText(rule, 'two-way')).toMatch(/\.$/);
  expect(ruleText('folder_added', 'to-folder')).toContain('kept here');
  expect(ruleText('workspace_edited', 'to-workspace')).toContain('never writes the folder');
});
