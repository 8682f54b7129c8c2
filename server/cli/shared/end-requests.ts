// Reports when the agent in this process must stop: on SIGTERM, SIGINT, the end of its terminal or of the process that started it.
// A second signal exits immediately.
import { exitCodes } from './failure.ts';

export interface EndRequests {
  /** Resolves at the first request to stop. */
  readonly requested: Promise<void>;
  /** Releases stdin, which would keep the process alive. */
  dispose(): void;
}

/** `endsWithStdin`: the end of stdin is a request to stop. stdin is a pipe that only the starting process holds open. */
export function listenForEnd(endsWithStdin: boolean): EndRequests {
  const { promise: requested, resolve: request } = Promise.withResolvers<void>();
  const onSignal = (signal: NodeJS.Signals) => {
    request();
    // Exiting without a clean stop loses nothing that was acknowledged.
    process.once(signal, () => process.exit(exitCodes.failed));
  };
  process.once('SIGTERM', onSignal);
  process.once('SIGINT', onSignal);
  // Node resets the SIGHUP handling of `nohup`, so SIGHUP would end the agent there. It is a request to stop only for a process that
  // writes to a terminal and does not end with the process that started it.
  const isInTerminal = process.stdout.isTTY || process.stderr.isTTY;
  if (isInTerminal && !endsWithStdin) process.once('SIGHUP', onSignal);
  else process.on('SIGHUP', () => undefined);
  if (!endsWithStdin) return { requested, dispose: () => undefined };
  // On some systems a broken pipe ends with an error instead of `end`.
  for (const event of ['end', 'close', 'error']) process.stdin.once(event, request);
  process.stdin.resume();
  return { requested, dispose: () => process.stdin.destroy() };
}
