// Limits of one provider refresh, each with its unit. A refresh that exceeds one ends with an error that names it.

const mebibyte = 1024 * 1024;
const hourMs = 3_600_000;

/** Bytes, files and JSON values of one page of the answer. One page is held in memory at a time. */
export const refreshPageBytesMax = 32 * mebibyte;
export const refreshPageFilesMax = 10_000;
/** JSON values of one page: a file has about five, and one for each property and relation. */
export const refreshPageValuesMax = 500_000;
/** Members of one object of a page, as of any body: a large object costs many times as much for each member as a list does. */
export const refreshMembersMax = 10_000;
/** Bytes of the content of one file in its sent form (base64 is a third longer than the file). */
export const refreshFileBytesMax = 24 * mebibyte;
/** Of all pages together. Of each file 8 bytes are kept until the end. */
export const refreshBytesMax = 20 * 1024 * mebibyte;
export const refreshPagesMax = 10_000;
export const refreshFilesMax = 1_000_000;
export const refreshDurationMaxMs = 6 * hourMs;
/** Files that one refresh deletes; the list of them is held in memory. */
export const refreshDeletesMax = 100_000;
/** Starts of one refresh during which the agent ended unexpectedly; after these it is not resumed. */
export const refreshCrashesMax = 2;
