// mooring search: files by content or name, one line per match as grep prints them; and the rebuild of the index.
import { type Command, Option } from 'commander';
import type { SearchItem, SearchOptions, SearchResult } from '../../../sdk/index.ts';
import { defined, parseCount, parseSince, withJson } from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { formatBytes, note, plural, print, printJson } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, workspaceVerb } from '../shared/workspace-arguments.ts';

/** Files that are listed without --limit, and files per request. */
const listedDefault = 100;
const pageFilesMax = 500;
/** What was written just before is found. */
const waitMs = 2_000;
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
  withJson(search.command('reindex').description('rebuild the search index')).action(
    async (_options: object, command: Command) => await reindex(command.optsWithGlobals()),
  );
}

async function find(query: string, options: FindOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { mode, path, glob, provider, since, context, caseSensitive, fork } = options;
  const limit = options.limit ?? listedDefault;
  const asked: SearchOptions = {
    ...defined({ mode, path, glob, provider, context, caseSensitive }),
    ...defined({ changedSince: since, forkId: fork }),
    limit: Math.min(limit, pageFilesMax),
    waitMs,
  };
  const items: SearchItem[] = [];
  let page: SearchResult;
  let incomplete: SearchResult['incomplete'];
  let cursor: string | null = null;
  do {
    page = await client.searches.page(workspaceId, query, {
      ...asked,
      ...(cursor === null ? {} : { cursor }),
    });
    incomplete ??= page.incomplete;
    const found = page.items.slice(0, limit - items.length);
    items.push(...found);
    if (!options.json) for (const item of found) printItem(item);
    cursor = page.nextCursor;
  } while (cursor !== null && items.length < limit);
  if (options.json)
    return printJson({ ...page, ...defined({ incomplete }), complete: incomplete === undefined, items });
  if (cursor !== null) note(`More files match: raise --limit (now ${limit}), or narrow the search.`);
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

async function reindex(options: { readonly dataDir?: string; readonly json?: true }): Promise<void> {
  const { client } = await connect(options);
  const status = await client.searches.rebuildIndex();
  if (options.json) return printJson(status);
  note(`The search index is being rebuilt: ${plural(status.files, 'file')}, ${formatBytes(status.bytes)}.`);
}
