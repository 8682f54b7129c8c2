// One simulated run of two desktops and their server: people on all three, requests and answers lost, partitions, kills; then rest,
// and judgement. Everything follows from the seed.
import type { FileChange, WriteFile } from '../../../server/core/change/change.ts';
import { type SeededRandom, seededRandom } from '../../support/trees.ts';
import { Scheduler } from '../scheduler.ts';
import { SimStore } from '../store.ts';
import { type PlantedRemoteFault, Replica } from './replica.ts';
import { changeOn, type Side, textAt, textOf, writeOf } from './side.ts';
import { SimHost, serverWorkspaceId } from './sim-server.ts';

const stepsMax = 60_000;
/** Halts while somebody waits for a sync. */
const haltsMax = 3;
/** What was asked for last is answered by then. */
const restAfterMs = 60_000;
const restMs = 12 * 3_600_000;
const paths = ['/a.md', '/b.md', '/c.md', '/d/x.md', '/d/y.md', '/d', '/d/x.md/deep', '/e.md'];

/** Contents that are large in the run of a seed: none, some, most. */
const wholeBytesMaxes = [1_000_000, 37, 20];

export interface RemoteRunResult {
  readonly digest: string;
  readonly violations: readonly string[];
  readonly tail: readonly string[];
}

export async function simulateRemotes(
  seed: number,
  fault: PlantedRemoteFault | null = null,
): Promise<RemoteRunResult> {
  const world = new RemoteWorld(seed, fault);
  try {
    await world.run();
  } finally {
    world.close();
  }
  return { digest: world.trace.digest, violations: world.violations, tail: world.trace.tail(4000) };
}

interface BusySide extends Side {
  movesLeft: number;
}

class RemoteWorld {
  readonly violations: string[] = [];
  readonly #random: SeededRandom;
  readonly #scheduler: Scheduler;
  readonly #host: SimHost;
  readonly #replicas: readonly Replica[];
  readonly #sides: readonly BusySide[];
  /** Words that somebody wrote and nobody who saw them has replaced or deleted. */
  readonly #live = new Set<string>();
  /** Side and path to the last text that was deleted there. */
  readonly #deleted = new Map<string, string>();
  /** Lines of texts that were created again. */
  readonly #again = new Set<string>();
  /** A server that keeps metadata where none is sent. */
  readonly #isPlain: boolean;
  #words = 0;
  #crashesLeft: number;
  #isOver = false;
  /** After a move a text may be at two paths, and what replaced it at one of them is not known at the other. */
  #hasMoved = false;
  /** A restore, of files or of the server, forgets what was agreed on, so an edit there may leave a copy that nobody needs. */
  #hasRestored = false;

  constructor(seed: number, fault: PlantedRemoteFault | null) {
    this.#random = seededRandom(seed);
    this.#scheduler = new Scheduler(this.#random);
    this.#host = new SimHost(this.#newServer());
    const host = this.#host;
    this.#isPlain = this.#random.below(4) === 0;
    const isPlain = this.#isPlain;
    this.#replicas = ['one', 'two'].map(
      (name) =>
        new Replica({
          ...{ scheduler: this.#scheduler, host, name, isPlain, fault },
          wholeBytesMax: wholeBytesMaxes[seed % wholeBytesMaxes.length] ?? 0,
          violate: (what) => this.violations.push(what),
        }),
    );
    this.#sides = [
      {
        name: 'server',
        get store() {
          return host.store;
        },
        workspaceId: serverWorkspaceId,
        movesLeft: this.#random.below(15),
      },
      ...this.#replicas.map(({ name, store, workspaceId }) => ({
        ...{ name, store, workspaceId },
        movesLeft: this.#random.below(25),
      })),
    ];
    this.#crashesLeft = this.#random.below(4);
    for (const { network } of this.#replicas) network.lossOneIn = [0, 0, 12, 40][this.#random.below(4)] ?? 0;
  }

  get trace(): Scheduler['trace'] {
    return this.#scheduler.trace;
  }

  async run(): Promise<void> {
    // All may hold something before they first meet.
    for (const side of this.#sides)
      for (let count = this.#random.below(5); count > 0; count -= 1) this.#move(side);
    for (const replica of this.#replicas) {
      replica.start();
      this.#planCut(replica);
    }
    this.#planCrash();
    this.#planReset();
    for (const side of this.#sides) this.#think(side);
    let steps = 0;
    const step = async () => {
      steps += 1;
      await this.#scheduler.step();
      for (const replica of this.#replicas) this.#answerHalt(replica);
    };
    while (this.#sides.some(({ movesLeft }) => movesLeft > 0) && steps < stepsMax) await step();
    this.#endTroubles();
    while (!this.#isAtRest() && steps < stepsMax) await step();
    if (steps >= stepsMax) this.violations.push('A5: it never comes to rest');
    else {
      await this.#askForSync(step, () => steps < stepsMax);
      await this.#rest(step, () => steps < stepsMax);
    }
    this.#judge();
  }

  close(): void {
    for (const replica of this.#replicas) replica.end();
    this.#host.store.close();
  }

  #think(side: BusySide): void {
    if (side.movesLeft === 0) return;
    this.#scheduler.at(this.#random.below(4_000), `${side.name} acts`, () => {
      side.movesLeft -= 1;
      this.#move(side);
      this.#think(side);
    });
  }

  #move(side: Side): void {
    const path = this.#random.pick(paths);
    const kind = this.#random.below(10);
    const before = textAt(side, path);
    if (kind < 2) {
      if (this.#change(side, { kind: 'delete_file', path, precondition: { kind: 'any' } })) {
        this.#kill(before);
        if (before !== null) this.#deleted.set(`${side.name} ${path}`, before);
      }
    } else if (kind === 3 && before === null && this.#deleted.has(`${side.name} ${path}`)) {
      this.#createAgain(side, path);
    } else if (kind === 4 && before !== null) {
      // Metadata alone.
      this.#words += 1;
      this.#put(side, path, before, { semantics: { properties: { by: `word${this.#words}` } } });
    } else if (kind === 2) {
      const to = this.#random.pick(paths);
      if (this.#change(side, { kind: 'move_file', from: path, to, precondition: { kind: 'any' } }))
        this.#hasMoved = true;
    } else {
      this.#write(side, path, before);
    }
  }

  /** With the bytes that it had before its deletion. Before the next sync that is no change, so a deletion elsewhere may win: its words do not count. */
  #createAgain(side: Side, path: string): void {
    const text = this.#deleted.get(`${side.name} ${path}`) ?? '';
    if (!this.#put(side, path, text, {})) return;
    for (const word of text.split('\n')) this.#again.add(word);
  }

  #write(side: Side, path: string, before: string | null): void {
    this.#words += 1;
    const word = `word${this.#words}`;
    // Often one line of what is there, so that edits can be merged.
    const lines = before === null || this.#random.below(3) === 0 ? freshLines() : before.split('\n');
    const at = this.#random.below(lines.length);
    const text = lines.map((line, index) => (index === at ? word : line)).join('\n');
    const semantics = this.#random.below(6) === 0 ? { semantics: { properties: { by: word } } } : {};
    if (!this.#put(side, path, text, semantics)) return;
    this.#kill(before, text);
    this.#live.add(word);
  }

  #put(side: Side, path: string, text: string, metadata: Pick<WriteFile, 'semantics'>): boolean {
    return this.#change(side, writeOf(path, text, metadata));
  }

  #change(side: Side, change: FileChange): boolean {
    const ok = changeOn(side, change, Math.floor(this.#scheduler.wallMs));
    if (ok) this.trace.add(`${side.name}: ${JSON.stringify({ ...change, content: undefined })}`);
    return ok;
  }

  /** Who saw the words has replaced them. */
  #kill(before: string | null, after = ''): void {
    const kept = new Set(after.split('\n'));
    for (const word of before?.split('\n') ?? []) if (!kept.has(word)) this.#live.delete(word);
  }

  #planCut(replica: Replica): void {
    if (this.#random.below(3) !== 0) return;
    const { network } = replica;
    this.#scheduler.at(this.#random.below(20_000), `the line of ${replica.name} is cut`, () => {
      if (this.#isOver) return;
      network.isCut = true;
      this.#scheduler.at(this.#random.below(3) === 0 ? 7_200_000 : 15_000, 'the line is whole again', () => {
        network.isCut = false;
      });
    });
  }

  #planCrash(): void {
    if (this.#crashesLeft === 0) return;
    this.#crashesLeft -= 1;
    const replica = this.#random.pick(this.#replicas);
    const again = () => {
      this.#scheduler.at(this.#random.below(5_000), `${replica.name} starts again`, () => {
        if (replica.loop === null) replica.start();
        this.#planCrash();
      });
    };
    this.#scheduler.at(this.#random.below(15_000), 'a crash is near', () => {
      if (this.#isOver) return;
      if (this.#random.below(3) === 0) replica.crash();
      else replica.crashAfter(1 + this.#random.below(6));
      again();
    });
  }

  #newServer(): SimStore {
    const store = new SimStore(this.#scheduler);
    const input = { workspaceId: serverWorkspaceId, name: 'server', createdAtMs: 0 };
    store.commit({ name: 'create_workspace', input });
    return store;
  }

  /** The server is restored from a backup, or begins anew; it gives the same numbers to other changes. */
  #planReset(): void {
    if (this.#random.below(5) !== 0) return;
    const isEmpty = this.#random.below(3) === 0;
    this.#scheduler.at(this.#random.below(10_000), 'a backup of the server', () => {
      const saved = this.#host.store.saved();
      this.#scheduler.at(this.#random.below(10_000), 'the server is set back', () => {
        if (this.#isOver) return;
        this.#host.replace(isEmpty ? this.#newServer() : new SimStore(this.#scheduler, saved));
        this.#hasRestored = true;
        this.#forgetLost();
      });
    });
  }

  /** What only the server had is gone with it. */
  #forgetLost(): void {
    const kept = new Set<string>();
    for (const { store, workspaceId } of this.#sides)
      for (const hash of store.files(workspaceId, null).values())
        for (const word of textOf(store, hash).split('\n')) kept.add(word);
    for (const word of this.#live) if (!kept.has(word)) this.#live.delete(word);
  }

  #endTroubles(): void {
    this.#isOver = true;
    this.trace.add('from here on nobody does anything');
    for (const replica of this.#replicas) {
      replica.crashAfter(0);
      replica.network.isCut = false;
      replica.network.lossOneIn = 0;
      if (replica.loop === null) replica.start();
      replica.loop?.tryNow();
    }
  }

  #answerHalt({ loop }: Replica): void {
    if (loop?.state.kind !== 'halted' || this.#scheduler.random.below(4) !== 0) return;
    const answer = this.#scheduler.random.below(2) === 0 ? 'delete' : 'restore';
    this.#hasRestored ||= answer === 'restore';
    this.trace.add(`a person answers ${answer}`);
    void loop.resume(answer);
  }

  #isAtRest(): boolean {
    return this.#replicas.every(({ loop }) => {
      const pending = loop?.pending;
      return loop?.state.kind === 'idle' && pending !== undefined && pending.local + pending.remote === 0;
    });
  }

  /** One after the other, twice: what the first sends has to reach the second. */
  async #askForSync(step: () => Promise<void>, mayStep: () => boolean): Promise<void> {
    for (const { loop, name } of [...this.#replicas, ...this.#replicas]) {
      let isSettled = false;
      for (let halts = 0; !isSettled && halts <= haltsMax; ) {
        const answers: boolean[] = [];
        void loop?.waitUntilSynced(new AbortController().signal).then((settled) => answers.push(settled));
        while (answers.length === 0 && mayStep()) await step();
        isSettled = answers[0] === true;
        // A person is asked for what only this wait has found, and it waits again.
        halts += loop?.state.kind === 'halted' ? 1 : haltsMax + 1;
        while (loop?.state.kind === 'halted' && mayStep()) await step();
      }
      if (!isSettled) this.violations.push(`A4: ${name} does not settle`);
    }
  }

  /** Nobody does anything, and no list is due yet: nothing is asked for. */
  async #rest(step: () => Promise<void>, mayStep: () => boolean): Promise<void> {
    let calls = 0;
    let isOver = false;
    this.#scheduler.at(restAfterMs, 'it rests', () => {
      calls = this.#host.calls;
    });
    this.#scheduler.at(restMs, 'it has rested', () => {
      isOver = true;
      if (this.#host.calls > calls) this.violations.push(`A10: ${this.#host.calls - calls} requests at rest`);
    });
    while (!isOver && mayStep()) await step();
  }

  #judge(): void {
    const [server, ...others] = this.#sides.map(({ store, workspaceId }) => store.files(workspaceId, null));
    const shown = new Set<string>();
    for (const hash of server?.values() ?? [])
      for (const word of textOf(this.#host.store, hash).split('\n')) shown.add(word);
    for (const word of this.#live)
      if (!shown.has(word)) this.violations.push(`A1: ${word} is in no file of the server`);
    for (const [path, hash] of server ?? []) {
      const words = textOf(this.#host.store, hash).split('\n');
      const isCopy = / \(conflict [^/]*$/.test(path);
      if (this.#hasMoved || this.#hasRestored) continue;
      if (
        isCopy &&
        words.some((word) => word.startsWith('word')) &&
        !words.some((word) => this.#live.has(word) || (word.startsWith('word') && this.#again.has(word)))
      )
        this.violations.push(`A9: ${path} is a needless conflict copy`);
    }
    for (const [index, files] of others.entries()) {
      const name = this.#replicas[index]?.name ?? '';
      for (const [path, hash] of server ?? [])
        if (files.get(path) !== hash) this.violations.push(`A4: ${path} differs on ${name}`);
      for (const path of files.keys())
        if (server?.has(path) !== true) this.violations.push(`A4: ${path} is on ${name} alone`);
    }
    if (!this.#isPlain) this.#judgeMetadata();
  }

  #judgeMetadata(): void {
    const [server, ...others] = this.#sides.map(({ store, workspaceId }) => propertiesOf(store, workspaceId));
    for (const [index, properties] of others.entries())
      if (JSON.stringify(properties) !== JSON.stringify(server))
        this.violations.push(
          `A4: metadata differs on ${this.#replicas[index]?.name}: ${JSON.stringify(properties)} ${JSON.stringify(server)}`,
        );
  }
}

function freshLines(): readonly string[] {
  return ['', '', '', '', ''].map((_, index) => `line ${index}`);
}

function propertiesOf(store: SimStore, workspaceId: string): readonly unknown[] {
  return store.statements.all(
    `SELECT path, semantics FROM entries JOIN workspaces ON workspaces.number = entries.workspace
       WHERE workspaces.workspace_id = ? AND semantics IS NOT NULL AND semantics != '' AND semantics != '{}' ORDER BY path`,
    workspaceId,
  );
}
