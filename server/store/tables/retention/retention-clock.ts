// The time that retention goes by. A clock that runs ahead, by a dead battery or a year typed wrong, makes everything old at once, and
// what is let go of does not come back with the right time. So retention moves on by a day at most each time that it runs, a few times a
// day: a wrong clock costs days, not the history, and whoever was away for months keeps things a little longer.

import type { WriteStatements } from '../../database/statements.ts';
import type { Handlers } from '../../port/commands.ts';

const advanceMsMax = 24 * 60 * 60 * 1000;

export function retentionClockHandlers(statements: WriteStatements): Handlers<'note_retention_time'> {
  return {
    note_retention_time({ clockMs }) {
      const noted = statements.get<{ value: string }>("SELECT value FROM meta WHERE key = 'retention_time'");
      const timeMs = noted === undefined ? clockMs : Math.min(clockMs, Number(noted.value) + advanceMsMax);
      statements.run(
        `INSERT INTO meta (key, value) VALUES ('retention_time', ?)
           ON CONFLICT DO UPDATE SET value = excluded.value`,
        String(timeMs),
      );
      return timeMs;
    },
  };
}
