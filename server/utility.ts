// The agent inside the desktop app: the same agent as `mooring serve`, in an Electron utility process. It speaks to
// the process that forked it over `parentPort` and to nobody else there; electron/agent-host.ts is the other end
// and lists the messages. Settings come from the environment and `<data-dir>/config.json`, as for the command.
import { type Agent, AgentStartError, createAgent } from './agent.ts';
import { describeConfigErrors, loadConfig } from './platform/config.ts';

/** The part of Electron's ParentPort that is used here; its types are not this layer's. */
export interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  postMessage(message: unknown): void;
}

/** Starts the agent, says `ready` or why not, and stops it when told to. `end` ends the process. */
export async function hostAgent(
  port: ParentPort,
  create: () => Agent,
  end: (exitCode: number) => void,
): Promise<void> {
  let stopping = false;
  const fail = (error: unknown) => {
    port.postMessage({ event: 'failed', reason: reasonOf(error) });
    end(1);
  };
  try {
    const agent = create();
    port.on('message', ({ data }) => {
      if (stopping || !isStopCommand(data)) return;
      stopping = true;
      agent.stop().then(() => end(0), fail);
    });
    const address = await agent.start();
    if (!stopping) port.postMessage({ event: 'ready', url: address.url });
  } catch (error) {
    // A start that was cut short by a stop has not failed; the stop ends the process.
    if (!stopping) fail(error);
  }
}

function createConfigured(): Agent {
  const loaded = loadConfig({ flags: {} });
  if (!loaded.ok) throw new Error(describeConfigErrors(loaded.errors));
  return createAgent(loaded.config);
}

function isStopCommand(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'command' in data && data.command === 'stop';
}

function reasonOf(error: unknown): string {
  if (error instanceof AgentStartError) return `${error.message} ${error.remedy}`;
  return error instanceof Error ? error.message : String(error);
}

const parentPort = (process as { readonly parentPort?: ParentPort }).parentPort;
if (parentPort !== undefined) {
  await hostAgent(parentPort, createConfigured, (exitCode) => process.exit(exitCode));
}
