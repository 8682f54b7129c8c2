// Two desktops and a server in virtual time with a script instead of a seed's people: what is done, and when, is written in the test.
import { type SeededRandom, seededRandom } from '../../support/trees.ts';
import { Scheduler } from '../scheduler.ts';
import { SimStore } from '../store.ts';
import { Replica, type ReplicaParts } from './replica.ts';
import { changeOn, type Side, textAt, textOf, writeOf } from './side.ts';
import { SimHost, serverWorkspaceId } from './sim-server.ts';

const stepsMax = 400_000;

export class ScriptedWorld {
  readonly random: SeededRandom;
  readonly host: SimHost;
  readonly one: Replica;
  readonly two: Replica;
  readonly server: Side;
  /** What the log of a desktop calls an error. */
  readonly violations: string[] = [];
  readonly #scheduler: Scheduler;

  constructor(seed: number, fault: ReplicaParts['fault'] = null) {
    this.random = seededRandom(seed);
    this.#scheduler = new Scheduler(this.random);
    const store = new SimStore(this.#scheduler);
    store.commit({
      name: 'create_workspace',
      input: { workspaceId: serverWorkspaceId, name: 'server', createdAtMs: 0 },
    });
    this.host = new SimHost(store);
    this.server = { name: 'server', store, workspaceId: serverWorkspaceId };
    const replica = (name: string) =>
      new Replica({
        ...{ scheduler: this.#scheduler, host: this.host, name, fault, isPlain: false },
        wholeBytesMax: 1_000_000,
        violate: (what) => this.violations.push(what),
      });
    this.one = replica('one');
    this.two = replica('two');
  }

  at(delayMs: number, what: string, run: () => void): void {
    this.#scheduler.at(delayMs, what, run);
  }

  write(side: Side, path: string, text: string): boolean {
    return changeOn(side, writeOf(path, text), Math.floor(this.#scheduler.wallMs));
  }

  remove(side: Side, path: string): boolean {
    const change = { kind: 'delete_file', path, precondition: { kind: 'any' } } as const;
    return changeOn(side, change, Math.floor(this.#scheduler.wallMs));
  }

  read(side: Side, path: string): string | null {
    return textAt(side, path);
  }

  /** Path to text. */
  files({ store, workspaceId }: Side): ReadonlyMap<string, string> {
    const texts = [...store.files(workspaceId, null)].map(
      ([path, hash]) => [path, textOf(store, hash)] as const,
    );
    return new Map(texts.sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** Rejects when it never becomes true. */
  async until(isReached: () => boolean): Promise<void> {
    for (let steps = 0; !isReached(); steps += 1) {
      if (steps >= stepsMax) throw new Error(`not reached in ${stepsMax} steps`);
      await this.#scheduler.step();
    }
  }

  async pass(ms: number): Promise<void> {
    let isOver = false;
    this.#scheduler.at(ms, 'the time is over', () => {
      isOver = true;
    });
    await this.until(() => isOver);
  }

  /** A desktop has sent and received all that was changed before, or waits for a person. */
  async settled({ loop }: Replica): Promise<boolean> {
    const answers: boolean[] = [];
    void loop?.waitUntilSynced(new AbortController().signal).then((isSettled) => answers.push(isSettled));
    await this.until(() => answers.length > 0);
    return answers[0] === true;
  }

  close(): void {
    for (const replica of [this.one, this.two]) replica.end();
    this.host.store.close();
  }
}
