// The run that a tool call works in: its fork takes the place of the workspace.
import type { ToolCall } from './session.ts';
import { ToolError } from './tool-error.ts';

/** Refuses a run that has ended. */
export async function inRun(call: ToolCall, runId: string | undefined): Promise<ToolCall> {
  if (runId === undefined) return call;
  const { client, session, signal } = call;
  const run = await client.runs.get(session.workspaceId, runId, { signal });
  if (run.state === 'open') return { ...call, forkId: run.forkId };
  throw new ToolError('invalid_state', `the run is ${run.state}`, 'Begin another run with the tool changes.');
}

/** Options of a call of the API in the same run. */
export function optionsOf({ signal, forkId }: ToolCall): { signal: AbortSignal; forkId?: string } {
  return forkId === undefined ? { signal } : { signal, forkId };
}
