// Refreshes that were asked for while another one was due, each on the authority of whoever asked: JSON, in their order.
import type { Migration } from './migration.ts';

export const refreshesThatFollow: Migration = {
  version: 17,
  up(database) {
    database.exec("ALTER TABLE providers ADD COLUMN refresh_next TEXT NOT NULL DEFAULT '[]';");
  },
};
