/** The database belongs to a newer version of Mooring, or cannot hold a hub. The message says what to do. */
export class UnfitDatabaseError extends Error {
  override readonly name = 'UnfitDatabaseError';
}
