// Who holds a mirrored folder, between real processes: in two containers that share it, when the holder is killed, and when somebody
// who may write in the folder puts something else in the place of what the lock is made of.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { canUseHandles } from '../../server/disk/port/directory-handles.ts';
import { processFile } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Each starts several processes.
vi.setConfig({ testTimeout: 300_000 });

const inNamespace = ['--pid', '--fork', '--mount-proc', '--kill-child'];

/** Why there can be no other process numbers here; null: there can. */
function noNamespaces(): string | null {
  if (process.platform !== 'linux') return 'only Linux has namespaces of process numbers';
  const tried = spawnSync('/usr/bin/unshare', [...inNamespace, 'true'], { encoding: 'utf8' });
  return tried.status === 0 ? null : `unshare is not permitted: ${tried.stderr || tried.error?.message}`;
}

interface Contender {
  readonly process: ChildProcess;
  readonly pid: number;
  /** null: it has the lock. */
  readonly holder: string | null;
}

async function contend(root: string, dataDir: string, apart = false): Promise<Contender> {
  const command = [process.execPath, processFile('root-contender'), root, dataDir];
  const [file = '', ...args] = apart ? ['/usr/bin/unshare', ...inNamespace, ...command] : command;
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    await kill(child);
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { process: child, ...(JSON.parse(line.toString()) as { pid: number; holder: string | null }) };
}

/** `close`, and not `exit`: `unshare` may end before the process in its namespace, which has the lock and the output. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close');
  child.stdin?.end();
  await ended;
}

const reason = noNamespaces();

describe('the lock of a mirrored folder', () => {
  it('holds between two namespaces of process numbers, and is free when its holder is killed', async ({
    skip,
  }) => {
    if (reason !== null) skip(reason);
    const root = tempFolder('mooring-lock');
    const first = await contend(root, '/first', true);
    expect(first.holder).toBeNull();
    // Neither knows the other's number, and both have the same.
    const second = await contend(root, '/second', true);
    expect(second).toMatchObject({ pid: first.pid, holder: expect.stringContaining('/first') });
    const outside = await contend(root, '/outside');
    expect(outside.holder).toContain('/first');
    expect(readdirSync(`${root}/.mooring`)).toHaveLength(2);

    await kill(first.process);
    const third = await contend(root, '/third', true);
    expect(third.holder).toBeNull();
    expect((await contend(root, '/fourth')).holder).toContain('/third');
    await end(third.process);
    expect(readdirSync(`${root}/.mooring`)).toEqual([]);
    expect((await contend(root, '/fifth')).holder).toBeNull();
  });

  it('is respected above and below a folder, too', async ({ skip }) => {
    if (reason !== null) skip(reason);
    const root = tempFolder('mooring-lock');
    mkdirSync(`${root}/a/b`, { recursive: true });
    expect((await contend(`${root}/a`, '/above', true)).holder).toBeNull();
    expect((await contend(`${root}/a/b`, '/within', true)).holder).toContain(`which mirrors ${root}/a`);
  });

  it.each([['held'], ['free']])(
    'of an owner that is known by its number only is %s as its process lives',
    async (state) => {
      const root = tempFolder('mooring-lock');
      mkdirSync(`${root}/.mooring`);
      const pid = state === 'held' ? process.ppid : 2 ** 22 - 3;
      writeFileSync(`${root}/.mooring/lock.json`, JSON.stringify({ pid, startedAt: '', dataDir: '/former' }));
      const { holder } = await contend(root, '/new');
      expect(holder === null ? 'free' : 'held').toBe(state);
      if (holder !== null) expect(holder).toContain('/former');
    },
  );

  it('reads as before to an agent that judges by numbers', async () => {
    const root = tempFolder('mooring-lock');
    const { pid } = await contend(root, '/new');
    const lock = JSON.parse(readFileSync(`${root}/.mooring/lock.json`, 'utf8')) as Record<string, unknown>;
    expect(lock).toMatchObject({ pid, dataDir: '/new', startedAt: expect.any(String) });
  });

  const tampered: readonly [string, (at: string, outside: string) => void][] = [
    ['a link to a file outside', (at, outside) => symlinkSync(`${outside}/file`, at)],
    ['a link to nothing', (at) => symlinkSync('/nowhere/at/all', at)],
    ['a pipe', (at) => void execFileSync('/usr/bin/mknod', [at, 'p'])],
    ['a directory', (at) => void mkdirSync(`${at}/with/more`, { recursive: true })],
    ['other bytes', (at) => writeFileSync(at, '{"pid": {}, "socket": "../../file"'.repeat(100))],
  ];
  it.for(tampered)('neither hangs nor reaches outside with %s in its place', async ([, plant], { skip }) => {
    skip(
      !canUseHandles(),
      'a lock that is tampered with is told from one that is held only where /proc shows handles',
    );
    const [root, outside] = [tempFolder('mooring-lock'), tempFolder('mooring-outside')];
    writeFileSync(`${outside}/file`, 'theirs');
    const before = statSync(`${outside}/file`, { bigint: true });
    const first = await contend(root, '/first');
    for (const name of readdirSync(`${root}/.mooring`)) {
      rmSync(path.join(root, '.mooring', name));
      plant(path.join(root, '.mooring', name), outside);
    }
    // Whoever may write there can take a lock away; that is all.
    expect((await contend(root, '/second')).holder).toBeNull();
    await end(first.process);
    expect(statSync(`${outside}/file`, { bigint: true })).toEqual(before);
    expect(readdirSync(outside)).toEqual(['file']);
  });

  it('does not go through a link in the place of its folder', async () => {
    const [root, outside] = [tempFolder('mooring-lock'), tempFolder('mooring-outside')];
    symlinkSync(outside, `${root}/.mooring`);
    const child = spawn(process.execPath, [processFile('root-contender'), root, '/first'], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await once(child, 'close');
    expect(said).toContain('.mooring is not a directory');
    expect(readdirSync(outside)).toEqual([]);
  });
});
