// What each kept revision needs so that it can be shown and brought back as it was: its metadata, the rules that were in
// force, the request that it came with.
import type { Migration } from './migration.ts';

const schema = `
  -- Revision of the first change of the same request; NULL when the request made no other.
  ALTER TABLE history ADD COLUMN batch INTEGER;
  -- The revision whose state this one brought back.
  ALTER TABLE history ADD COLUMN restored_from INTEGER;
  -- Metadata of the file at that revision, as JSON; NULL when it had none.
  ALTER TABLE history ADD COLUMN semantics TEXT;
  -- Access rules in force at its commit, as JSON: it is shown by them.
  ALTER TABLE history ADD COLUMN rules TEXT;
  CREATE UNIQUE INDEX history_by_revision ON history (workspace, revision);
  CREATE INDEX history_by_batch ON history (workspace, batch) WHERE batch IS NOT NULL;

  -- What is known of revisions from before: the metadata of what stands now, the rules that their events were stored with.
  UPDATE history SET semantics = entries.semantics FROM entries
    WHERE entries.semantics IS NOT NULL AND entries.workspace = history.workspace
      AND entries.path = history.path AND entries.revision = history.revision;
  UPDATE history SET rules = events.rules FROM events
    WHERE events.rules IS NOT NULL AND events.workspace = history.workspace
      AND events.path = history.path AND events.revision = history.revision;

  -- Milliseconds since 1970: before this moment retention may have let go of states.
  INSERT INTO counters (name, last) VALUES ('history_floor', 0);
`;

export const restorableHistory: Migration = {
  version: 4,
  up: (database) => void database.exec(schema),
};
