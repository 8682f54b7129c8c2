// What the screens and the API ask beside a mirror of many files, and one save until it is synced. The floors do not depend on the
// number of files: the same agent's health route, and the least work for one saved file. So the ratios show what grows.
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { MooringClient } from '../../sdk/index.ts';
import type { BenchAgent } from './bench-agent.ts';
import { alternate, median, percentile, print, printComparison, roundsMin } from './report.ts';

/** A directory and a file in it. */
type Directory = SizedMirror['directories'][number];

export interface SizedMirror {
  readonly agent: BenchAgent;
  readonly owner: MooringClient;
  readonly workspaceId: string;
  readonly folder: string;
  /** Directories of the folder with a file of each, relative to it. */
  readonly directories: readonly { readonly directory: string; readonly file: string }[];
}

const callsPerRound = 20;
/** A round of slow answers has fewer of them. */
const roundMsMax = 1_000;
const pathsAsked = 100;
/** Between two saves, so that the first is over. */
const betweenSavesMs = 500;
const saveMsMax = 600_000;

interface Asked {
  readonly name: string;
  /** Of a request to the health route. */
  readonly most: number;
  readonly route: (k: number) => string;
  readonly body?: (k: number) => unknown;
}

export async function measureRoutes(mirror: SizedMirror): Promise<void> {
  const { agent, owner, workspaceId, directories } = mirror;
  const mirrorId = (await owner.mirrors.list(workspaceId))[0]?.mirrorId ?? '';
  const health = { name: 'health', most: 1, route: () => '/health' };
  for (const asked of askedOf(workspaceId, mirrorId, directories)) {
    const round = (one: Asked) => async (number: number) => {
      const tookMs: number[] = [];
      const endsAt = performance.now() + roundMsMax;
      for (let call = 0; call < callsPerRound && performance.now() < endsAt; call += 1)
        tookMs.push(await timedCall(agent, one, number * callsPerRound + call));
      return median(tookMs);
    };
    printComparison({
      name: asked.name,
      unit: 'ms',
      floorName: 'GET health',
      ...(await alternate(roundsMin, round(asked), round(health))),
      reach: { at: 'most', value: asked.most },
    });
  }
}

function askedOf(workspaceId: string, mirrorId: string, directories: readonly Directory[]): readonly Asked[] {
  const workspace = `/v1/workspaces/${workspaceId}`;
  const spread = (k: number) => directories[(k * 7919) % directories.length] as Directory;
  const directoryOf = (k: number) => spread(k).directory;
  // No plan: it scans folder and workspace, as its page says.
  const fileOf = (k: number) => `/${spread(k).file}`;
  return [
    { name: 'GET file', most: 3, route: (k) => `${workspace}/fs/file?path=${fileOf(k)}` },
    { name: 'GET history of a file', most: 4, route: (k) => `${workspace}/fs/history?path=${fileOf(k)}` },
    { name: 'GET history of everything', most: 12, route: () => `${workspace}/fs/history?below=true` },
    { name: 'tree page of a folder', most: 6, route: (k) => `${workspace}/fs/tree?path=/${directoryOf(k)}` },
    {
      name: 'tree page of the root',
      most: 20,
      route: () => `${workspace}/fs/tree?path=/&depth=1&limit=1000`,
    },
    {
      name: 'query page of 100',
      most: 12,
      route: (k) => `${workspace}/fs/query?path=/${directoryOf(k)}&limit=100`,
    },
    { name: 'events page of 1,000', most: 40, route: () => `${workspace}/fs/events?limit=1000` },
    { name: 'list of workspaces', most: 4, route: () => '/v1/workspaces' },
    { name: 'agent status', most: 4, route: () => '/v1/agent/status' },
    { name: 'mirrors of the workspace', most: 4, route: () => `${workspace}/mirrors` },
    { name: 'problems of the mirror', most: 4, route: () => `${workspace}/mirrors/${mirrorId}/problems` },
    { name: 'conflicts', most: 4, route: () => `${workspace}/conflicts` },
    { name: 'sync status', most: 12, route: () => `${workspace}/sync/status` },
    { name: 'explanation of a path', most: 6, route: (k) => `${workspace}/explain?path=${fileOf(k)}` },
    {
      name: 'states of 100 paths',
      most: 8,
      route: () => `${workspace}/mirrors/path-states`,
      body: (k) => ({ paths: Array.from({ length: pathsAsked }, (_, n) => fileOf(k + n)) }),
    },
    {
      name: 'states of 100 directories',
      most: 8,
      route: () => `${workspace}/mirrors/path-states`,
      body: (k) => ({ paths: Array.from({ length: pathsAsked }, (_, n) => `/${directoryOf(k + n)}`) }),
    },
  ];
}

async function timedCall(
  { url, ownerToken }: BenchAgent,
  { name, route, body }: Asked,
  k: number,
): Promise<number> {
  const start = performance.now();
  const answer = await fetch(url + route(k), {
    headers: {
      authorization: `Bearer ${ownerToken}`,
      'x-correlation-id': 'bench',
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body(k)) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${name} answered ${answer.status}: ${text.slice(0, 300)}`);
  return performance.now() - start;
}

/** One atomic save, and `sync --wait`. Floor: list and lstat its directory, and one durable write. */
export async function measureSaves(mirror: SizedMirror): Promise<void> {
  const { owner, workspaceId, folder, directories } = mirror;
  const directoryOf = (round: number) =>
    path.join(
      folder,
      (directories[Math.floor((round * directories.length) / roundsMin)] as Directory).directory,
    );
  const save = async (round: number) => {
    const file = path.join(directoryOf(round), `saved-${round}.txt`);
    writeFileSync(`${file}.swp`, `saved ${round}`);
    renameSync(`${file}.swp`, file);
    const start = performance.now();
    const { settled } = await owner.mirrors.waitUntilSynced({ workspaceId, timeoutMs: saveMsMax });
    const tookMs = performance.now() - start;
    const saved = await owner.files.read(workspaceId, file.slice(folder.length));
    if (!settled || saved.content !== `saved ${round}`) throw new Error(`${file} is not synced`);
    await delay(betweenSavesMs);
    return tookMs;
  };
  const name = 'one save with sync --wait';
  const { own, floor } = await alternate(roundsMin, save, (round) =>
    settleByHand(directoryOf(round), folder),
  );
  printComparison({
    name,
    unit: 'ms',
    floorName: 'lstat of its directory and one durable write',
    own,
    floor,
    reach: { at: 'most', value: 60 },
  });
  print({
    name: `${name}, p95`,
    value: percentile(own, 0.95),
    unit: 'ms',
    reach: { at: 'most', value: 150 },
  });
}

function settleByHand(directory: string, folder: string): number {
  const probe = openSync(path.join(path.dirname(folder), 'save-probe'), 'w');
  try {
    const start = performance.now();
    for (const name of readdirSync(directory)) lstatSync(path.join(directory, name));
    writeSync(probe, 'saved');
    fsyncSync(probe);
    return performance.now() - start;
  } finally {
    closeSync(probe);
  }
}
