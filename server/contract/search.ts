// The answer of a search.
import { type Static, Type } from 'typebox';

const Ranges = Type.Array(Type.Object({ start: Type.Integer(), end: Type.Integer() }), {
  description: 'Matched characters of `text`, in UTF-16 units; `end` is exclusive.',
});

const SearchMatch = Type.Object({
  line: Type.Integer({ description: 'Number of the line, from 1.' }),
  text: Type.String({ description: 'The line, at most 500 characters around the first match.' }),
  offset: Type.Optional(Type.Integer({ description: 'Position of `text` in a longer line.' })),
  ranges: Ranges,
  before: Type.Optional(Type.Array(Type.String(), { description: 'Lines before it, with `context`.' })),
  after: Type.Optional(Type.Array(Type.String())),
});
export type SearchMatch = Static<typeof SearchMatch>;

const SearchItem = Type.Object({
  path: Type.String(),
  revision: Type.String(),
  contentType: Type.String(),
  score: Type.Number({ description: 'From 0 to 1, from the file and its path alone.' }),
  matches: Type.Array(SearchMatch, { description: 'At most 20 lines. Empty with `mode=name`.' }),
  moreMatches: Type.Boolean({ description: 'true: further lines match.' }),
  pathRanges: Type.Optional(
    Type.Array(Type.Object({ start: Type.Integer(), end: Type.Integer() }), {
      description: 'With `mode=name`: matched characters of the path.',
    }),
  ),
});
export type SearchItem = Static<typeof SearchItem>;

export const SearchResult = Type.Object(
  {
    items: Type.Array(SearchItem),
    nextCursor: Type.Union([Type.String(), Type.Null()]),
    complete: Type.Boolean({
      description: 'false: files may be missing from this and the following pages; see `incomplete`.',
    }),
    incomplete: Type.Optional(
      Type.Enum(['indexing', 'limit', 'index_full'], {
        description:
          '`indexing`: the index is being built. `limit`: the page ended at a limit of time, files or bytes. `index_full`: the index has reached its size limit.',
      }),
    ),
    indexedThrough: Type.String({
      description: 'The last event whose change is indexed.',
      examples: ['evt_42'],
    }),
    textBytesMax: Type.Integer({
      description: 'Larger files and files that are not UTF-8 text are found with `mode=name` only.',
    }),
  },
  { $id: 'SearchResult' },
);
export type SearchResult = Static<typeof SearchResult>;

export const SearchIndexStatus = Type.Object(
  {
    state: Type.Enum(['starting', 'indexing', 'current', 'failed']),
    indexedThrough: Type.String({ examples: ['evt_42'] }),
    eventsBehind: Type.Integer({ description: 'Newer events, whose changes are not indexed yet.' }),
    files: Type.Integer({ description: 'Indexed paths of all workspaces.' }),
    filesTotal: Type.Integer({
      description: 'Files of all workspaces: while the index is built, `files` rises to it.',
    }),
    namesOnly: Type.Integer({ description: 'Contents that are found by name only.' }),
    bytes: Type.Integer({ description: 'Size of the index on the disk.' }),
    isFull: Type.Boolean({ description: 'true: the size limit is reached.' }),
  },
  { $id: 'SearchIndexStatus' },
);
export type SearchIndexStatus = Static<typeof SearchIndexStatus>;
