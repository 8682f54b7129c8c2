// mooring search: files by content or name, one line per match as grep prints them; and the rebuild of the index.
import { setTimeout } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type {
  MooringClient,
  SearchIndexStatus,
  SearchItem,
  SearchOptions,
  SearchResult,
} from '../../../sdk/index.ts';
import {
  type CommonOptions,
  defined,
  type ProgressOptions,
  parseCount,
  parseSince,
  withJson,
  withProgress,
} from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { failure } from '../shared/failure.ts';
import { formatBytes, note, plural, print, printJson } from '../shared/output.ts';
import { WorkProgress } from '../shared/work-progress.ts';
import { connectToWorkspace, type WorkspaceOptions, workspaceVerb } from '../shared/workspace-arguments.ts';

/** Files that are listed without --limit, and files per request. */
const listedDefault = 100;
const pageFilesMax = 500;
/** What was written just before is found. */
const waitMs = 2_000;
const indexPollEveryMs = 200;
const modes = ['text', 'literal', 'regex', 'name'] as const;

interface FindOptions extends WorkspaceOptions {
  readonly mode?: (typeof modes)[number];
  readonly path?: string;
  readonly glob?: string;
  readonly provider?: string;
  readonly since?: Date;
  readonly context?: number;
  readonly caseSensitive?: true;
  readonly limit?: number;
  readonly fork?: string;
}

export function registerSearch(program: Command): void {
  const search = withJson(workspaceVerb(program, 'search', 'find files by content or name', ['<QUERY>']))
    .addOption(new Option('--mode <MODE>', 'how to match (default: text)').choices(modes))
    .option('--path <PATH>', 'only this path and everything below it')
    .option('--glob <GLOB>', 'only paths that match, for example "*.md"')
    .option('--provider <NAME>', 'only files of this provider')
    .option('--since <TIME>', 'only files changed since a time, or 30s, 10m, 2h, 1d ago', parseSince)
    .option('--context <N>', 'lines before and after each match', parseCount)
    .option('--case-sensitive', 'distinguish upper and lower case')
    .option('--limit <N>', `maximum number of files (default: ${listedDefault})`, parseCount)
    .option('--fork <FORK>', 'search what this fork shows')
    .addHelpText(
      'after',
      '\ntext: words and "phrases", all of which must occur; word* is a prefix.\nliteral: a substring. regex: an RE2 expression. name: parts of a path.\n',
    )
    .action(find);
  withJson(withProgress(search.command('reindex').description('rebuild the search index')))
    .option('--wait', 'wait until the index is complete')
    .action(async (_options: object, command: Command) => await reindex(command.optsWithGlobals()));
}

async function find(query: string, options: FindOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { mode, path, glob, provider, since, context, caseSensitive, fork } = options;
  const limit = options.limit ?? listedDefault;
  const asked: SearchOptions = {
    ...defined({ mode, path, glob, provider, context, caseSensitive }),
    ...defined({ changedSince: since, forkId: fork }),
    waitMs,
  };
  const items: SearchItem[] = [];
  const next = async (files: number): Promise<SearchResult> =>
    await client.searches.page(workspaceId, query, {
      ...asked,
      limit: Math.min(files, pageFilesMax),
      ...(cursor === null ? {} : { cursor }),
    });
  let page: SearchResult;
  let incomplete: SearchResult['incomplete'];
  let cursor: string | null = null;
  do {
    page = await next(limit - items.length);
    incomplete ??= page.incomplete;
    items.push(...page.items);
    if (!options.json) for (const item of page.items) printItem(item);
    cursor = page.nextCursor;
  } while (cursor !== null && items.length < limit);
  if (options.json)
    return printJson({ ...page, ...defined({ incomplete }), complete: incomplete === undefined, items });
  // A full page has a cursor also when nothing follows.
  if (cursor !== null && (await next(1)).items.length > 0)
    note(`More files match: raise --limit (now ${limit}), or narrow the search.`);
  if (items.length === 0) note('No file matches.');
  if (incomplete === 'indexing') note('The index is being built: files may be missing.');
  else if (incomplete !== undefined) note('A limit was reached: narrow the search to find all files.');
}

/** `PATH:LINE:TEXT`, and `PATH-LINE-TEXT` for context. A match by name is its path. */
function printItem({ path, matches, moreMatches }: SearchItem): void {
  if (matches.length === 0) print(path);
  for (const { line, text, before = [], after = [] } of matches) {
    before.forEach((one, index) => {
      print(`${path}-${line - before.length + index}-${one}`);
    });
    print(`${path}:${line}:${text}`);
    after.forEach((one, index) => {
      print(`${path}-${line + 1 + index}-${one}`);
    });
  }
  if (moreMatches) note(`${path}: more lines match.`);
}

interface ReindexOptions extends CommonOptions, ProgressOptions {
  readonly wait?: true;
}

async function reindex(options: ReindexOptions): Promise<void> {
  const { client } = await connect(options);
  const started = await client.searches.rebuildIndex();
  const status = options.wait ? await indexed(client, started, options.progress === true) : started;
  if (options.json) return printJson(status);
  if (options.wait)
    return note(`Rebuilt the search index: ${plural(status.files, 'file')}, ${formatBytes(status.bytes)}.`);
  note(`The search index is being rebuilt: ${plural(status.files, 'file')}, ${formatBytes(status.bytes)}.`);
}

async function indexed(
  client: MooringClient,
  started: SearchIndexStatus,
  always: boolean,
): Promise<SearchIndexStatus> {
  const progress = new WorkProgress({ verb: 'Indexing', unit: 'files', always });
  let status = started;
  try {
    while (status.state === 'indexing') {
      progress.update({ done: Math.min(status.files, status.filesTotal), total: status.filesTotal });
      await setTimeout(indexPollEveryMs);
      status = await client.searches.index();
    }
  } finally {
    progress.done();
  }
  if (status.state === 'failed')
    throw failure('The search index could not be built.', 'See its cause with "mooring doctor".');
  return status;
}
