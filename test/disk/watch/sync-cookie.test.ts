// The barrier in a model of the kernel's queue: it never passes before the events of earlier changes, as long as the kernel keeps
// their order; a kernel that loses or reorders events is caught by the same property.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileSystem } from '../../../server/disk/port/file-system.ts';
import { SyncCookies } from '../../../server/disk/watch/sync-cookie.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { waitFor } from '../../support/wait-for.ts';

type Event = { readonly change: number } | { readonly cookie: string };
type Fault = 'none' | 'loses a change' | 'delivers the cookie first';

type Step =
  | { readonly kind: 'change' }
  | { readonly kind: 'deliver'; readonly count: number }
  | { readonly kind: 'wait' };

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Step>({ kind: 'change' }) },
    {
      weight: 2,
      arbitrary: fc.integer({ min: 1, max: 4 }).map((count): Step => ({ kind: 'deliver', count })),
    },
    { weight: 2, arbitrary: fc.constant<Step>({ kind: 'wait' }) },
  ),
  { maxLength: 60 },
);

/** The folder's changes, the queue between kernel and watcher, and what a barrier answered too early. */
class Model {
  readonly clock = createManualClock();
  readonly cookies: SyncCookies;
  readonly files = new Set<string>();
  falselyPassed = 0;
  passed = 0;
  late = 0;
  readonly #fault: Fault;
  readonly #queue: Event[] = [];
  readonly #heard = new Set<number>();
  #changes = 0;

  constructor(fault: Fault) {
    this.#fault = fault;
    const fs = {
      openNew: (path: string) => {
        const name = path.slice(path.lastIndexOf('/') + 1);
        this.files.add(name);
        if (fault === 'delivers the cookie first') this.#queue.unshift({ cookie: name });
        else this.#queue.push({ cookie: name });
        return 1;
      },
      close: () => undefined,
      unlink: (path: string) => this.files.delete(path.slice(path.lastIndexOf('/') + 1)),
      list: () => ({ names: [...this.files], unreadableNames: [] }),
    } as unknown as FileSystem;
    this.cookies = new SyncCookies({ clock: this.clock, root: '/r', onFolder: (_, act) => act(fs) });
  }

  change(): void {
    this.#changes += 1;
    if (this.#fault === 'loses a change' && this.#changes % 3 === 0) return;
    this.#queue.push({ change: this.#changes });
  }

  deliver(count: number): void {
    for (const event of this.#queue.splice(0, count)) {
      if ('change' in event) this.#heard.add(event.change);
      else this.cookies.heard(event.cookie);
    }
  }

  /** Resolves when the barrier answers. */
  async wait(): Promise<void> {
    const before = this.#changes;
    if (!(await this.cookies.pass())) {
      this.late += 1;
      return;
    }
    this.passed += 1;
    for (let change = 1; change <= before; change += 1) {
      if (!this.#heard.has(change)) this.falselyPassed += 1;
    }
  }
}

async function run(fault: Fault, plan: readonly Step[]): Promise<Model> {
  const model = new Model(fault);
  const waits: Promise<void>[] = [];
  for (const step of plan) {
    if (step.kind === 'change') model.change();
    else if (step.kind === 'wait') waits.push(model.wait());
    else model.deliver(step.count);
    // What a barrier concludes, it concludes between two events.
    await Promise.resolve();
  }
  // Events that come too late, or not at all, answer nothing.
  model.clock.advance(3000);
  await Promise.all(waits);
  return model;
}

describe('a barrier', () => {
  it('passes only when the events of all earlier changes have arrived, and leaves no file', async () => {
    let passed = 0;
    let late = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const model = await run('none', plan);
        passed += model.passed;
        late += model.late;
        expect(model.falselyPassed).toBe(0);
        expect([...model.files]).toEqual([]);
      }),
      { numRuns: 300 },
    );
    expect(Math.min(passed, late)).toBeGreaterThan(50);
  });

  it.each(['loses a change', 'delivers the cookie first'] as const)(
    'of a kernel that %s is caught',
    async (fault) => {
      let caught = 0;
      await fc.assert(
        fc.asyncProperty(steps, async (plan) => {
          caught += (await run(fault, plan)).falselyPassed;
        }),
        { numRuns: 300 },
      );
      expect(caught).toBeGreaterThan(0);
    },
  );

  it('does not pass where the file cannot be created, nor for the event of another name', async () => {
    const clock = createManualClock();
    const refusing = new SyncCookies({
      clock,
      root: '/r',
      onFolder: () => {
        throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      },
    });
    expect(await refusing.pass()).toBe(false);
    const model = new Model('none');
    const passes = model.cookies.pass();
    await waitFor('the file', () => model.files.size === 1);
    model.cookies.heard('cookie-guessed');
    model.clock.advance(3000);
    expect(await passes).toBe(false);
  });

  it('removes what a killed agent left behind', () => {
    const model = new Model('none');
    model.files.add('cookie-left').add('marker.json');
    model.cookies.removeLeftovers();
    expect([...model.files]).toEqual(['marker.json']);
  });
});
