// Limits of the search: what is indexed, what one request may examine, and what an answer contains.

const mebibyte = 1024 * 1024;

// ---- the index

/** Bytes of a file whose text is indexed. Larger files are found by name. */
export const indexedFileBytesMax = mebibyte;
/** Bytes of the index; above it, contents of further files are not indexed, and answers are marked as incomplete. */
export const indexBytesMax = 16 * 1024 * mebibyte;
/** Text of one transaction of the index. A larger one delays a search, a smaller one writes more segments. */
export const batchTextBytes = mebibyte;
/** Files of one transaction, and events that are read at once. */
export const batchFiles = 500;
export const batchEvents = 2_000;
/** Bytes of a text that is read from the store together with others, and of all such texts. */
export const textTogetherBytesMax = 64 * 1024;
export const textsTogetherBytesMax = mebibyte;
/** The thread returns to its event loop after so much work, so that searches and messages are not delayed. */
export const sliceMs = 8;
/** While commits arrive, indexing uses at most one twentieth of a processor: the pause after a slice, in slices. */
export const busyPauseFactor = 19;
export const busyPauseMsMax = 1_000;
/** Where at most so many events are to be indexed: a single save is found soon, and a stream of writes soon has more. */
export const fewEvents = 20;
export const fewEventsPauseMsMax = 50;
/** Commits arrive when the last one is younger: bulk writes that follow each other are one stream. */
export const busyMs = 250;
/** Delay of a commit's report to the thread; reports in between are one. */
export const reportMs = 50;
/** The thread starts this long after the first commit, or with the first search. */
export const startDelayMs = 1_000;
/** Pause after a failure of the index, and of the thread. Doubles up to the maximum. */
export const retryMs = { first: 1_000, max: 60_000 } as const;

// ---- a request

export const searchLimit = { default: 50, max: 500 } as const;
export const searchContext = { default: 0, max: 10 } as const;
export const searchWaitMs = { default: 0, max: 10_000 } as const;
/** Characters of a query, and words and phrases in it. */
export const queryCharactersMax = 1_000;
export const queryTermsMax = 32;
/** Size of the program of a regular expression: the work per character in the worst case. */
export const regexProgramMax = 1_000;
/** Characters of a line in which a regular expression is searched; the rest of a longer line is not. */
export const regexLineCharactersMax = 10_000;
/** Time of a processor for one request, and files and bytes that it reads. */
export const processorMsMax = 2_000;
export const filesExaminedMax = 20_000;
export const bytesExaminedMax = 256 * mebibyte;
/** Searches at a time; further ones are refused. */
export const searchesMax = 32;
/** Time without an answer after which the thread is replaced. */
export const answerMsMax = 30_000;
/** What to look a file up costs, in bytes of text that are read in the same time. */
export const fileCostBytes = 16 * 1024;
/** Matching files that are ranked together. The search for them ends earlier when the page is full and so much was read. */
export const rankedFilesMax = 300;
export const rankedCostBytes = 2 * mebibyte;
/** A page with at least one file ends when so much was read. */
export const shortPageCostBytes = 3 * mebibyte;
/** Texts that a request keeps from the ranking for the lines that it shows. */
export const keptCharactersMax = 16 * mebibyte;
/** Paths of one block of names, and how long the blocks are kept after a search of names. */
export const blockPaths = 4_000;
export const keptBlocksMs = 60_000;
/** Paths of a name search that are compared with filters and access rules. */
export const examinedNamesMax = 200_000;
/** Paths in which a fork differs from its workspace that are searched. */
export const forkPathsMax = 10_000;
/** Trigrams of a query that are looked up, and characters of a word of which it has only the beginning. */
export const trigramsMax = 8;
export const wordStartMin = 3;

// ---- an answer

/** Matching lines per file; the ranges of a line. */
export const matchedLinesMax = 20;
export const lineRangesMax = 50;
/** Characters of a line; a longer line is cut around its first match. */
export const lineCharactersMax = 500;
/** Characters of all items of a page; the page ends with the item that reaches the limit. */
export const answerCharactersMax = 2 * mebibyte;
/** Matches that count for the score of a file. */
export const scoredMatchesMax = 100;
