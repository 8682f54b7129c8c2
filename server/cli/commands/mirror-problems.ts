// mooring mirror problems: what a mirror does not sync and why, by cause, and path by path for one cause.
import type { Command } from 'commander';
import type {
  Mirror,
  MirrorProblem,
  MirrorProblemGroup,
  MirrorProblems,
  MooringClient,
} from '../../../sdk/index.ts';
import { parseCount, withJson } from '../shared/arguments.ts';
import { findMirror, type MirrorOptions, withOnlyFolder } from '../shared/mirror-arguments.ts';
import { note, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace } from '../shared/workspace-arguments.ts';

const pageItems = 1000;
/** What is printed without being asked for all. */
const shownDefault = 50;
/** Causes of the table without --cause. */
const causesShownMax = 10;

interface ProblemsOptions extends MirrorOptions {
  readonly cause?: string;
  readonly limit?: number;
}

export function registerMirrorProblems(mirror: Command): void {
  withJson(
    withOnlyFolder(
      mirror
        .command('problems')
        .description('list what a mirror does not sync, by cause')
        .option('--cause <cause>', 'list each path of this cause, for example symlink')
        .option(
          '--limit <n>',
          `maximum number of paths (default: ${shownDefault}; with --json all)`,
          parseCount,
        ),
    ),
  ).action(problems);
}

async function problems(options: ProblemsOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const mirror = await findMirror(client, workspaceId, options.dir);
  const { cause } = options;
  if (options.json) {
    const limit = options.limit ?? Number.POSITIVE_INFINITY;
    return printJson(await listed(client, mirror, cause, limit));
  }
  if (cause === undefined) return printCauses(mirror);
  const { count, items } = await listed(client, mirror, cause, options.limit ?? shownDefault);
  printTable(
    ['PATH', 'CAUSE', 'NEXT', 'NEXT ATTEMPT'],
    items.map(({ path, cause: why, next, retryAt }) => [path, why, next, retryAt ?? '']),
  );
  if (count === 0) note(`${mirror.dir} has no problem of this cause.`);
  if (items.length < count) note(`${items.length} of ${count} are listed. See more with --limit.`);
}

function printCauses({ dir, problemGroups }: Mirror): void {
  const shown = problemGroups.slice(0, causesShownMax);
  printTable(['CAUSE', 'COUNT', 'LARGEST DIRECTORIES', 'NEXT'], shown.map(causeRow));
  if (shown.length < problemGroups.length)
    note(`${problemGroups.length - shown.length} more causes: see all with --json.`);
  note(
    problemGroups.length === 0 ? `${dir} has no problems.` : 'List the paths of a cause with --cause CAUSE.',
  );
}

function causeRow({ kind, count, directories, next }: MirrorProblemGroup): readonly string[] {
  const largest = directories.map(
    (each) => `${each.path.slice(1) || '/'} (${each.count.toLocaleString('en-US')})`,
  );
  return [kind, String(count), largest.join(', '), next ?? ''];
}

/** Page after page, up to so many. */
async function listed(
  client: MooringClient,
  { workspaceId, mirrorId }: Mirror,
  kind: string | undefined,
  limit: number,
): Promise<MirrorProblems> {
  const items: MirrorProblem[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: MirrorProblems = await client.mirrors.problems(workspaceId, mirrorId, {
      limit: Math.min(pageItems, limit - items.length),
      ...(kind === undefined ? {} : { kind }),
      ...(cursor === null ? {} : { cursor }),
    });
    items.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === null || items.length >= limit) return { ...page, items };
  }
}
