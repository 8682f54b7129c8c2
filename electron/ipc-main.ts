// The one gate for what a page says to the main process: the sender must be our page in its main frame and the
// arguments must pass their check, or the call is refused. Handlers behind it get typed values.
import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron';
import { isAppUrl } from './app-protocol.ts';
import type { BroadcastChannel, Broadcasts, InvocationChannel, Invocations } from './ipc-contract.ts';

/** The part of Electron's ipcMain that is used here. */
export type InvocationTarget = Pick<IpcMain, 'handle'>;

/** Registers the handler of one channel. `check` gets whatever the page sent and says whether it is that. */
export function handle<C extends InvocationChannel>(
  target: InvocationTarget,
  channel: C,
  check: (args: readonly unknown[]) => args is Invocations[C]['args'],
  handler: (args: Invocations[C]['args']) => Invocations[C]['result'] | Promise<Invocations[C]['result']>,
): void {
  target.handle(channel, (event: IpcMainInvokeEvent, ...args: unknown[]) => {
    const frame = event.senderFrame;
    // A frame that is gone, or sits inside another one, has no business here.
    if (frame === null || frame.parent !== null || !isAppUrl(frame.url)) {
      throw new Error(`${channel} was called by a page that may not`);
    }
    if (!check(args)) throw new Error(`${channel} was called with arguments that it does not take`);
    return handler(args);
  });
}

/** Tells the page something; a page that is being closed does not hear it. */
export function broadcast<C extends BroadcastChannel>(
  contents: Pick<WebContents, 'send' | 'isDestroyed'>,
  channel: C,
  payload: Broadcasts[C],
): void {
  if (!contents.isDestroyed()) contents.send(channel, payload);
}
