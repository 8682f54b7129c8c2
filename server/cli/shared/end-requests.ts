// What ends an agent that runs in this process: SIGTERM, SIGINT, the end of the terminal that it runs in, or of the process that started
// it. A second signal does not wait for what runs.
import { exitCodes } from './failure.ts';

export interface EndRequests {
  /** Resolves when somebody has asked the agent to end. */
  readonly asked: Promise<void>;
  /** Nothing here keeps the process alive after this. */
  dispose(): void;
}

/** `endsWithStdin`: the end of stdin, a pipe that only the starting process holds open, is the end of that process. */
export function listenForEnd(endsWithStdin: boolean): EndRequests {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const onSignal = (signal: NodeJS.Signals) => {
    ask();
    // Who asks twice does not want to wait for what runs; nothing acknowledged is lost by it.
    process.once(signal, () => process.exit(exitCodes.failed));
  };
  process.once('SIGTERM', onSignal);
  process.once('SIGINT', onSignal);
  // Node resets what `nohup` has set, so SIGHUP would end the agent there. A process that writes to no terminal was not started in the
  // one that ends; and one that ends with its starting process leaves the decision to that.
  const isInTerminal = process.stdout.isTTY || process.stderr.isTTY;
  if (isInTerminal && !endsWithStdin) process.once('SIGHUP', onSignal);
  else process.on('SIGHUP', () => undefined);
  if (!endsWithStdin) return { asked, dispose: () => undefined };
  // A pipe whose other end broke ends with an error on some systems.
  for (const event of ['end', 'close', 'error']) process.stdin.once(event, ask);
  process.stdin.resume();
  return { asked, dispose: () => process.stdin.destroy() };
}
