// The log of the agent, read from its files for the API.
import type { AgentLogs } from '../http/base/dependencies.ts';
import type { Clock } from '../platform/clock.ts';
import { logFiles } from '../platform/observe/log-file.ts';
import { countLogMinutes, readLogSlice } from '../platform/observe/log-search.ts';

export function logsOf(dataDir: string, clock: Pick<Clock, 'nowMs'>): AgentLogs {
  const files = logFiles(dataDir);
  return {
    read: async (filter, range, signal) => await readLogSlice(files, filter, range, signal),
    minutes: async (filter, minutes, signal) =>
      await countLogMinutes(files, filter, { nowMs: clock.nowMs(), minutes }, signal),
  };
}
