// Methods of the port that only send a command, or only run one read.
import type { CommandKind, Sends } from '../port/commands.ts';
import { type ReadInput, type ReadResult, type ReadSubject, type Reads, reads } from './reads.ts';
import type { StoreDeps } from './store-parts.ts';

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

/** The methods of the port that are one read each. */
type ReadMethods<Subject extends ReadSubject> = {
  readonly [Name in keyof Reads[Subject]]: (
    ...input: ReadInput<Reads[Subject][Name]>
  ) => Promise<ReadResult<Reads[Subject][Name]>>;
};

/** A method for each read of the subject. */
export function readers<const Subject extends ReadSubject>(
  { read }: Pick<StoreDeps, 'read'>,
  subject: Subject,
): ReadMethods<Subject> {
  const run = read as (subject: string, name: string, ...input: readonly unknown[]) => Promise<unknown>;
  const methods = Object.keys(reads[subject]).map((name) => [
    name,
    (...input: readonly unknown[]) => run(subject, name, ...input),
  ]);
  return Object.fromEntries(methods);
}
