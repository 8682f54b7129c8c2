// The bridge to the desktop app; null in a browser. Nothing else in the renderer reads `window.mooring`.
import type { MooringBridge } from '../../electron/ipc-contract.ts';

let agentAddress: string | null = null;

/** null: the page runs in a browser. */
export function desktop(): MooringBridge | null {
  return (window as { readonly mooring?: MooringBridge }).mooring ?? null;
}

/** Resolves when the agent's address is known: in a browser the page's origin, else that of the desktop app. */
export async function findAgent(): Promise<void> {
  const bridge = desktop();
  if (bridge === null) return;
  const { promise: address, resolve } = Promise.withResolvers<string>();
  const end = bridge.onAgentState((state) => {
    if (state.kind === 'ready') resolve(state.url);
  });
  const state = await bridge.agentState();
  if (state.kind === 'ready') resolve(state.url);
  agentAddress = await address;
  end();
}

/** The agent's base URL. */
export function agentUrl(): string {
  return agentAddress ?? location.origin;
}
