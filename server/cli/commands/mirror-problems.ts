// mooring mirror problems: lists what a mirror does not sync, by cause, or each path of one cause.
import type { Command } from 'commander';
import type {
  Mirror,
  MirrorProblem,
  MirrorProblemGroup,
  MirrorProblems,
  MooringClient,
} from '../../../sdk/index.ts';
import { defined, parseCount, withJson } from '../shared/arguments.ts';
import { formatTime } from '../shared/display.ts';
import { findMirror, type MirrorOptions, withOptionalFolder } from '../shared/mirror-arguments.ts';
import { formatCount, note, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace } from '../shared/workspace-arguments.ts';

const pageItems = 1000;
const listedDefault = 50;
/** Maximum number of causes in the table without --cause. */
const causesListedMax = 10;

interface ProblemsOptions extends MirrorOptions {
  readonly cause?: string;
  readonly limit?: number;
}

export function registerMirrorProblems(mirror: Command): void {
  withJson(
    withOptionalFolder(
      mirror
        .command('problems')
        .description('list what a mirror does not sync, by cause')
        .option('--cause <CAUSE>', 'list each path of this cause, for example symlink')
        .option(
          '--limit <N>',
          `maximum number of paths (default: ${listedDefault}, with --json all)`,
          parseCount,
        ),
    ),
  ).action(problems);
}

async function problems(options: ProblemsOptions): Promise<void> {
  const connected = await connectToWorkspace(options);
  const { client } = connected;
  const mirror = await findMirror(connected, options.dir);
  const { cause } = options;
  if (options.json) {
    const limit = options.limit ?? Number.POSITIVE_INFINITY;
    return printJson(await listProblems(client, mirror, cause, limit));
  }
  if (cause === undefined) return printCauses(mirror);
  const { count, items } = await listProblems(client, mirror, cause, options.limit ?? listedDefault);
  printTable(
    ['PATH', 'CAUSE', 'NEXT', 'NEXT ATTEMPT'],
    items.map((problem) => [
      problem.path,
      problem.cause,
      problem.next,
      problem.retryAt === null ? '' : formatTime(problem.retryAt),
    ]),
  );
  if (count === 0) {
    const others = mirror.problemGroups.map(({ kind }) => kind);
    const which = others.length === 0 ? '' : ` Its causes: ${others.join(', ')}.`;
    note(`${mirror.dir} has no problems with the cause ${cause}.${which}`);
  }
  if (items.length < count) note(`${items.length} of ${count} problems listed. List more with --limit.`);
}

function printCauses({ dir, problemGroups }: Mirror): void {
  const shown = problemGroups.slice(0, causesListedMax);
  printTable(['CAUSE', 'COUNT', 'LARGEST DIRECTORIES', 'NEXT'], shown.map(causeRow));
  if (shown.length < problemGroups.length)
    note(`${problemGroups.length - shown.length} more causes. List all with --json.`);
  note(
    problemGroups.length === 0 ? `${dir} has no problems.` : 'List the paths of a cause with --cause CAUSE.',
  );
}

function causeRow({ kind, count, directories, next }: MirrorProblemGroup): readonly string[] {
  const largest = directories.map((each) => `${each.path.slice(1) || '/'} (${formatCount(each.count)})`);
  return [kind, String(count), largest.join(', '), next ?? ''];
}

/** Reads pages until `limit` problems are listed. */
async function listProblems(
  client: MooringClient,
  { workspaceId, mirrorId }: Mirror,
  kind: string | undefined,
  limit: number,
): Promise<MirrorProblems> {
  const items: MirrorProblem[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: MirrorProblems = await client.mirrors.problems(workspaceId, mirrorId, {
      limit: Math.min(pageItems, limit - items.length),
      ...defined({ kind, cursor: cursor ?? undefined }),
    });
    items.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === null || items.length >= limit) return { ...page, items };
  }
}
