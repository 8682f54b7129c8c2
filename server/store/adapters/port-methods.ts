// Methods of the port that only send a command, or only run one read.
import type { ReadStatements } from '../database/statements.ts';
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

type Look = (statements: ReadStatements, ...input: never[]) => unknown;
type Reads<From extends Look> = From extends (
  statements: ReadStatements,
  ...input: infer Input
) => infer Result
  ? (...input: Input) => Promise<Awaited<Result>>
  : never;

/** A method for each name: it runs its read on the main thread's connection, named `subject.method` in the log. */
export function readers<const Looks extends Readonly<Record<string, Look>>>(
  { read }: Pick<StoreDeps, 'read'>,
  subject: string,
  looks: Looks,
): { readonly [Method in keyof Looks]: Reads<Looks[Method]> } {
  const methods = Object.entries(looks).map(([method, look]) => [
    method,
    (...input: never[]) => read(`${subject}.${method}`, (statements) => look(statements, ...input)),
  ]);
  return Object.fromEntries(methods);
}
