import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../server/core/sync/plan.ts';
import { reconcile } from '../../../server/core/sync/reconcile.ts';
import {
  type BaseTree,
  bA,
  bB,
  dir,
  fA1,
  fA9,
  fB2,
  fC1,
  fC3,
  type LocalTree,
  trees,
  type WorkspaceTree,
  wA,
  wB,
  wC,
  wD,
  wX,
  x,
} from './reconcile-fixtures.ts';

interface Case {
  readonly name: string;
  readonly base: BaseTree;
  readonly local: LocalTree;
  readonly workspace: WorkspaceTree;
  /** One line for each thing that is to be done, in the plan's order. */
  readonly plan: readonly string[];
}

const cases: readonly Case[] = [
  { name: 'nothing anywhere is nothing to do', base: {}, local: {}, workspace: {}, plan: [] },
  {
    name: 'three equal trees only confirm the base',
    base: { '/a': bA },
    local: { '/a': fA1 },
    workspace: { '/a': wA },
    plan: ['base /a=A'],
  },

  // One side changed.
  {
    name: 'a new file of the folder goes to the workspace',
    base: {},
    local: { '/a': fA1 },
    workspace: {},
    plan: ['write /a=A (was none)'],
  },
  {
    name: 'a new file of the workspace comes to the folder',
    base: {},
    local: {},
    workspace: { '/a': wA },
    plan: ['put /a=A (was none)'],
  },
  {
    name: 'an edit in the folder goes to the workspace',
    base: { '/a': bA },
    local: { '/a': fC1 },
    workspace: { '/a': wA },
    plan: ['write /a=C (was A)'],
  },
  {
    name: 'an edit in the workspace comes to the folder',
    base: { '/a': bA },
    local: { '/a': fA1 },
    workspace: { '/a': wC },
    plan: ['put /a=C (was A)'],
  },
  {
    name: 'a deletion in the folder deletes in the workspace',
    base: { '/a': bA },
    local: {},
    workspace: { '/a': wA },
    plan: ['delete /a (was A)'],
  },
  {
    name: 'a deletion in the workspace removes from the folder',
    base: { '/a': bA },
    local: { '/a': fA1 },
    workspace: {},
    plan: ['remove /a (was A)'],
  },

  // Both changed.
  {
    name: 'the same edit on both sides is agreement',
    base: { '/a': bA },
    local: { '/a': fC1 },
    workspace: { '/a': wC },
    plan: ['base /a=C'],
  },
  {
    name: 'a deletion on both sides is agreement',
    base: { '/a': bA },
    local: {},
    workspace: {},
    plan: ['base /a=none'],
  },
  {
    name: 'the same new file on both sides is agreement',
    base: {},
    local: { '/a': fA9 },
    workspace: { '/a': wA },
    plan: ['base /a=A'],
  },
  {
    name: 'two different edits are a conflict',
    base: { '/a': bA },
    local: { '/a': fC1 },
    workspace: { '/a': wD },
    plan: ['conflict file /a C|D|A'],
  },
  {
    name: 'without a base, different contents are a conflict',
    base: {},
    local: { '/a': fA1 },
    workspace: { '/a': wD },
    plan: ['conflict file /a A|D|none'],
  },
  {
    name: 'an edit in the workspace survives a deletion in the folder',
    base: { '/a': bA },
    local: {},
    workspace: { '/a': wC },
    plan: ['put /a=C (was none)'],
  },
  {
    name: 'an edit in the folder survives a deletion in the workspace',
    base: { '/a': bA },
    local: { '/a': fC1 },
    workspace: {},
    plan: ['write /a=C (was none)'],
  },

  // Renamings.
  {
    name: 'a renamed file is moved, not stored again',
    base: { '/a': bA },
    local: { '/b': fA1 },
    workspace: { '/a': wA },
    plan: ['move /a -> /b'],
  },
  {
    name: 'the same content under another inode is a copy and a deletion',
    base: { '/a': bA },
    local: { '/b': fA9 },
    workspace: { '/a': wA },
    plan: ['delete /a (was A)', 'write /b=A (was none)'],
  },
  {
    name: 'the same inode with other content is a new file and a deletion',
    base: { '/a': bA },
    local: { '/b': fC1 },
    workspace: { '/a': wA },
    plan: ['delete /a (was A)', 'write /b=C (was none)'],
  },
  {
    name: 'a renamed file that the workspace edited meanwhile lives under both names',
    base: { '/a': bA },
    local: { '/b': fA1 },
    workspace: { '/a': wC },
    plan: ['put /a=C (was none)', 'write /b=A (was none)'],
  },
  {
    name: 'a renamed file that the workspace deleted meanwhile stays under its new name',
    base: { '/a': bA },
    local: { '/b': fA1 },
    workspace: {},
    plan: ['write /b=A (was none)', 'base /a=none'],
  },
  {
    name: 'a file renamed onto an agreed one is an edit there and a deletion here',
    base: { '/a': bA, '/b': bB },
    local: { '/b': fA1 },
    workspace: { '/a': wA, '/b': wB },
    plan: ['delete /a (was A)', 'write /b=A (was B)'],
  },
  {
    name: 'a renamed directory moves each of its files',
    base: { '/d/a': bA, '/d/b': bB },
    local: { '/e/a': fA1, '/e/b': fB2 },
    workspace: { '/d/a': wA, '/d/b': wB },
    plan: ['move /d/a -> /e/a', 'move /d/b -> /e/b'],
  },
  {
    name: 'of two hard links to a renamed file one is the move',
    base: { '/a': bA },
    local: { '/b': fA1, '/c': fA1 },
    workspace: { '/a': wA },
    plan: ['move /a -> /b', 'write /c=A (was none)'],
  },
  {
    name: 'a moved file of the workspace arrives as a removal and a put',
    base: { '/a': bA },
    local: { '/a': fA1 },
    workspace: { '/b': wA },
    plan: ['remove /a (was A)', 'put /b=A (was none)'],
  },

  // Changes of type.
  {
    name: 'a file that became a directory in the folder is one change',
    base: { '/a': bA },
    local: { '/a/b': fC3 },
    workspace: { '/a': wA },
    plan: ['[delete /a (was A), write /a/b=C (was none)]'],
  },
  {
    name: 'a directory that became a file in the folder is one change',
    base: { '/a/b': bB },
    local: { '/a': fC3 },
    workspace: { '/a/b': wB },
    plan: ['[delete /a/b (was B), write /a=C (was none)]'],
  },
  {
    name: 'a file replaced by an empty directory is deleted',
    base: { '/a': bA },
    local: { '/a': dir },
    workspace: { '/a': wA },
    plan: ['delete /a (was A)'],
  },
  {
    name: 'a file that became a directory in the workspace makes room in the folder',
    base: { '/a': bA },
    local: { '/a': fA1 },
    workspace: { '/a/b': wC },
    plan: ['remove /a (was A)', 'put /a/b=C (was none)'],
  },
  {
    name: 'a directory that became a file in the workspace makes room in the folder',
    base: { '/a/b': bB },
    local: { '/a/b': fB2 },
    workspace: { '/a': wC },
    plan: ['remove /a/b (was B)', 'put /a=C (was none)'],
  },
  {
    name: 'an edited file steps aside for the directory of the workspace',
    base: { '/a': bA },
    local: { '/a': fC1 },
    workspace: { '/a/b': wD },
    plan: ['conflict file /a C|none|A'],
  },
  {
    name: 'a directory with a new file steps aside for the file of the workspace',
    base: { '/a/b': bB },
    local: { '/a/b': fB2, '/a/c': fC3 },
    workspace: { '/a': wD },
    plan: ['conflict directory /a none|D|none'],
  },
  {
    name: 'a directory with unknown things in it steps aside for the file of the workspace',
    base: {},
    local: { '/a': dir },
    workspace: { '/a': wD },
    plan: ['conflict directory /a none|D|none'],
  },
  {
    name: 'a file that became a directory here and was edited there: the directory steps aside',
    base: { '/a': bA },
    local: { '/a/b': fC3 },
    workspace: { '/a': wD },
    plan: ['conflict directory /a none|D|A'],
  },
  {
    name: 'a directory that became a file here and got a new file there: the file steps aside',
    base: { '/a/b': bB },
    local: { '/a': fC3 },
    workspace: { '/a/b': wB, '/a/c': wD },
    plan: ['delete /a/b (was B)', 'conflict file /a C|none|none'],
  },

  // What cannot be seen or held.
  {
    name: 'an unreadable file does not look deleted',
    base: { '/a': bA },
    local: { '/a': x },
    workspace: { '/a': wA },
    plan: [],
  },
  {
    name: 'an edit in the workspace waits while the file cannot be read',
    base: { '/a': bA },
    local: { '/a': x },
    workspace: { '/a': wC },
    plan: [],
  },
  {
    name: 'a deletion in the workspace waits while the file cannot be read',
    base: { '/a': bA },
    local: { '/a': x },
    workspace: {},
    plan: [],
  },
  {
    name: 'files below something that is in the way are neither deleted nor written through it',
    base: { '/d/a': bA },
    local: { '/d': x },
    workspace: { '/d/a': wC, '/d/b': wB },
    plan: [],
  },
  {
    name: 'a file that this folder must not hold stays in the workspace',
    base: { '/a': bA },
    local: {},
    workspace: { '/a': wX },
    plan: [],
  },
  {
    name: 'one stuck path does not stop the others',
    base: { '/a': bA },
    local: { '/a': x, '/b': fB2 },
    workspace: { '/a': wC, '/c': wC },
    plan: ['put /c=C (was none)', 'write /b=B (was none)'],
  },
];

describe('reconcile', () => {
  it.each(cases)('$name', ({ base, local, workspace, plan }) => {
    expect(lines(reconcile(trees(base, local, workspace)))).toEqual(plan);
  });

  it('lets wait what needs the room of a file that waits itself', () => {
    const all = trees({ '/d': bA }, { '/d': fA1 }, { '/d/b': wB });
    expect(lines(reconcile({ ...all, candidates: ['/d/b'] }))).toEqual([]);
    expect(lines(reconcile(all))).toEqual(['remove /d (was A)', 'put /d/b=B (was none)']);
  });

  it('lets a file that may not go to the workspace step aside for what the workspace has below it', () => {
    const all = trees({}, { '/d': fA1 }, { '/d/b': wB });
    expect(lines(reconcile(all, 'to-folder'))).toEqual(['conflict file /d A|none|none']);
  });

  it('plans the same for the same trees, in whatever order the candidates come', () => {
    for (const { base, local, workspace } of cases) {
      const forward = trees(base, local, workspace);
      const backward = { ...forward, candidates: [...forward.candidates].reverse() };
      expect(reconcile(backward)).toEqual(reconcile(forward));
    }
  });
});

function lines(plan: Plan): string[] {
  return [
    ...plan.toLocal.map((action) =>
      action.kind === 'put'
        ? `put ${action.path}=${action.hash} (was ${action.expected ?? 'none'})`
        : `remove ${action.path} (was ${action.expected})`,
    ),
    ...plan.toWorkspace.map((group) => {
      const steps = group.map((action) => {
        if (action.kind === 'move') return `move ${action.from} -> ${action.path}`;
        if (action.kind === 'delete') return `delete ${action.path} (was ${action.expected})`;
        return `write ${action.path}=${action.hash} (was ${action.expected ?? 'none'})`;
      });
      return steps.length === 1 ? (steps[0] as string) : `[${steps.join(', ')}]`;
    }),
    ...plan.toBase.map((action) => `base ${action.path}=${action.hash ?? 'none'}`),
    ...plan.conflicts.map(
      ({ what, path, localHash, workspaceHash, baseHash }) =>
        `conflict ${what} ${path} ${localHash ?? 'none'}|${workspaceHash ?? 'none'}|${baseHash ?? 'none'}`,
    ),
  ];
}
