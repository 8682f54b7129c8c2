// The file of the index in the data directory.
export const indexFileName = 'search.db';
