// Methods of the port that only send a command.
import type { CommandKind, Sends } from '../port/commands.ts';
import type { StoreDeps } from '../writer/store-parts.ts';

/** A method for each name: it sends the command of its kind, with the types of port/commands. */
export function senders<const Kinds extends Readonly<Record<string, CommandKind>>>(
  { send }: Pick<StoreDeps, 'send'>,
  kinds: Kinds,
): { readonly [Method in keyof Kinds]: Sends<Kinds[Method]> } {
  const methods = Object.entries(kinds).map(([method, kind]) => [
    method,
    (input: never) => send(kind, input),
  ]);
  return Object.fromEntries(methods);
}
