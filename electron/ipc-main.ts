// Checks every IPC call of a page: the sender must be the app's page in its main frame, and the arguments must be valid, or the
// call is rejected. Handlers get typed values.
import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron';
import { isAppUrl } from './app-protocol.ts';
import type { BroadcastChannel, Broadcasts, InvocationChannel, Invocations } from './ipc-contract.ts';

/** The part of Electron's ipcMain that is used here. */
export type InvocationTarget = Pick<IpcMain, 'handle'>;

/** Registers the handler of a channel. `check` validates the arguments of the page. */
export function handle<C extends InvocationChannel>(
  target: InvocationTarget,
  channel: C,
  check: (args: readonly unknown[]) => args is Invocations[C]['args'],
  handler: (args: Invocations[C]['args']) => Invocations[C]['result'] | Promise<Invocations[C]['result']>,
): void {
  target.handle(channel, (event: IpcMainInvokeEvent, ...args: unknown[]) => {
    const frame = event.senderFrame;
    // Destroyed frames and subframes are rejected.
    if (frame === null || frame.parent !== null || !isAppUrl(frame.url)) {
      throw new Error(`${channel} was called by a page without permission`);
    }
    if (!check(args)) throw new Error(`${channel} was called with invalid arguments`);
    return handler(args);
  });
}

/** Sends a message to the page, unless it is being closed. */
export function broadcast<C extends BroadcastChannel>(
  contents: Pick<WebContents, 'send' | 'isDestroyed'>,
  channel: C,
  payload: Broadcasts[C],
): void {
  if (!contents.isDestroyed()) contents.send(channel, payload);
}
