// The desktop app around this page, where there is one. In a browser there is none, and what needs it says so instead
// of being shown. Nothing else in the renderer reads `window.mooring`.
import type { MooringBridge } from '../../electron/ipc-contract.ts';

let agentAddress: string | null = null;

/** null: the page is shown by a browser. */
export function desktop(): MooringBridge | null {
  return (window as { readonly mooring?: MooringBridge }).mooring ?? null;
}

/** Resolves when the agent's address is known. In a browser it is the page's own; the desktop app knows it. */
export async function findAgent(): Promise<void> {
  const bridge = desktop();
  if (bridge === null) return;
  const { promise: found, resolve } = Promise.withResolvers<string>();
  const end = bridge.onAgentState((state) => {
    if (state.kind === 'ready') resolve(state.url);
  });
  const state = await bridge.agentState();
  if (state.kind === 'ready') resolve(state.url);
  agentAddress = await found;
  end();
}

/** Where the agent is. */
export function agentUrl(): string {
  return agentAddress ?? location.origin;
}
