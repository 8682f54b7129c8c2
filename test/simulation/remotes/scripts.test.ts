// Runs of a remote that are written down: an hour of edits without a connection, and workspaces that are emptied on one side.
import { afterEach, describe, expect, it } from 'vitest';
import { plantedGuardFaults } from './planted-remote-faults.ts';
import type { ReplicaParts } from './replica.ts';
import { ScriptedWorld } from './scripted-world.ts';
import type { Side } from './side.ts';

const hourMs = 3_600_000;
const edits = 1_000;
const files = 100;
const linesOfFile = 12;
const seeds = [1, 2];
/** Enough for the halt. */
const emptiedFiles = 12;
const worlds: ScriptedWorld[] = [];

afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
});

function newWorld(seed: number, fault: ReplicaParts['fault'] = null): ScriptedWorld {
  const world = new ScriptedWorld(seed, fault);
  worlds.push(world);
  return world;
}

it.for(seeds)('loses no word of 1,000 edits in an hour without a line, seed %i', async (seed) => {
  const world = newWorld(seed);
  const { one, two, server } = world;
  const lines = Array.from({ length: linesOfFile }, (_, line) => `line ${line}`);
  for (let file = 0; file < files; file += 1) world.write(server, `/${file}.md`, lines.join('\n'));
  for (const desktop of [one, two]) desktop.start();
  for (const desktop of [one, two]) expect(await world.settled(desktop)).toBe(true);

  one.network.isCut = true;
  const live = new Set<string>();
  for (let edit = 0; edit < edits; edit += 1)
    world.at(world.random.below(hourMs), `edit ${edit}`, () =>
      editLine(world, edit % 2 === 0 ? one : two, `edit ${edit}`, live),
    );
  await world.pass(hourMs);
  expect(one.loop?.state.kind).toBe('offline');
  expect(live.size).toBeGreaterThan(edits / 2);

  one.network.isCut = false;
  const callsBefore = world.host.calls;
  one.loop?.tryNow();
  for (const desktop of [one, two]) expect(await world.settled(desktop)).toBe(true);
  const shown = new Set([...world.files(server).values()].flatMap((text) => text.split('\n')));
  expect([...live].filter((word) => !shown.has(word))).toEqual([]);
  for (const desktop of [one, two]) expect(world.files(desktop)).toEqual(world.files(server));
  expect(world.violations).toEqual([]);
  // In batches, not one request for each edit.
  expect(world.host.calls - callsBefore).toBeLessThan(edits);
});

/** What replaces a word was written by someone who saw it. */
function editLine(world: ScriptedWorld, side: Side, word: string, live: Set<string>): void {
  const path = `/${world.random.below(files)}.md`;
  const lines = world.read(side, path)?.split('\n') ?? [];
  const at = world.random.below(linesOfFile);
  live.delete(lines[at] ?? '');
  lines[at] = word;
  if (world.write(side, path, lines.join('\n'))) live.add(word);
}

describe('a workspace that is emptied on one side halts the remote, and the other side keeps its files', () => {
  it('on the server', async () => {
    expect(await filesAfterEmptying('server')).toEqual({ state: 'halted', kept: emptiedFiles });
  });

  it('on a desktop', async () => {
    expect(await filesAfterEmptying('desktop')).toEqual({ state: 'halted', kept: emptiedFiles });
  });

  it.for(plantedGuardFaults)('which catches the planted fault: $name', async (fault) => {
    const kept = [await filesAfterEmptying('server', fault), await filesAfterEmptying('desktop', fault)];
    expect(kept).toContainEqual({ state: 'idle', kept: 0 });
  });
});

async function filesAfterEmptying(
  emptied: 'server' | 'desktop',
  fault: ReplicaParts['fault'] = null,
): Promise<{ readonly state: string | undefined; readonly kept: number }> {
  const world = newWorld(1, fault);
  const { one, server } = world;
  for (let file = 0; file < emptiedFiles; file += 1) world.write(server, `/${file}.md`, `text ${file}`);
  one.start();
  expect(await world.settled(one)).toBe(true);
  const [from, to] = emptied === 'server' ? [server, one] : [one, server];
  for (const path of world.files(from).keys()) world.remove(from, path);
  await world.settled(one);
  return { state: one.loop?.state.kind, kept: world.files(to).size };
}
