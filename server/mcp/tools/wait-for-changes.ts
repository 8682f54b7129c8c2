// wait_for_changes: the changes after a cursor, waited for within a time limit.
import { waitForChangesSpec } from '../../contract/mcp.ts';
import { eventsAfter, newestEvent } from '../events-after.ts';
import { burstMs, waitSecondsDefault } from '../limits.ts';
import { listable } from '../only-root.ts';
import { ToolError } from '../tool-error.ts';
import { defineTool } from './tool.ts';

export const waitForChanges = defineTool(waitForChangesSpec, async (input, call) => {
  const { timeoutSeconds = waitSecondsDefault, paths } = input;
  const { session, signal } = call;
  const roots = paths === undefined || paths.length === 0 ? listable(session.roots) : paths;
  const untilMs = performance.now() + timeoutSeconds * 1000;
  let cursor = input.cursor ?? (await newestEvent(call, roots));
  for (;;) {
    const waitMs = Math.max(0, Math.round(untilMs - performance.now()));
    let page = await eventsAfter(call, roots, cursor, waitMs);
    if (page.gap) {
      throw new ToolError(
        'cursor_expired',
        `history no longer has all changes after ${cursor}`,
        'Call list_files, then wait_for_changes without a cursor.',
      );
    }
    if (page.events.length > 0 && waitMs > 0) {
      await new Promise((resolve) => setTimeout(resolve, burstMs));
      page = await eventsAfter(call, roots, cursor, 0);
    }
    signal.throwIfAborted();
    cursor = page.cursor;
    const changes = page.events
      .filter(({ type }) => type.startsWith('file.'))
      .map(({ path, type, revision, timestamp, eventId, correlationId }) => ({
        path,
        type,
        revision,
        at: timestamp,
        eventId,
        own: correlationId.startsWith(`mcp-${session.tag}-`),
      }));
    const timedOut = changes.length === 0 && performance.now() >= untilMs;
    if (changes.length > 0 || timedOut) return { changes, cursor, timedOut };
  }
});
