import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dataPaths } from '../../../server/platform/files/paths.ts';
import { writeAgentFile } from '../../../server/platform/process/agent-file.ts';
import { claimDataDir, takeOver } from '../../../server/platform/process/instance.ts';
import { isSameProcess, thisProcess } from '../../../server/platform/process/process-identity.ts';
import { tempFolder } from '../../support/temp-folder.ts';

class Claimant {
  readonly child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(dataDir: string, ...args: readonly string[]) {
    const script = fileURLToPath(new URL('../../support/claimant.ts', import.meta.url));
    const child = spawn(process.execPath, [script, dataDir, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.child = child;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null) await this.kill9();
    });
  }

  async line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error('the claimant ended without a word');
    return value;
  }

  async claim(): Promise<{ ok: boolean; owner?: { pid: number; url: string | null } }> {
    return JSON.parse(await this.line()) as { ok: boolean };
  }

  async kill9(): Promise<void> {
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}

function lockOf(dataDir: string): { pid: number; started: string | null; nonce: string } {
  return JSON.parse(readFileSync(dataPaths(dataDir).lockFile, 'utf8')) as ReturnType<typeof lockOf>;
}

function fakeAgentFile(dataDir: string, pid: number, url: string): void {
  writeAgentFile(dataDir, { url, pid, version: '0', startedAt: '2026-11-20T00:00:00Z', ownerTokenFile: 'x' });
}

describe('a data directory', () => {
  it('has one owner, who is named to everybody else with the address', async () => {
    const dataDir = tempFolder();
    const owner = new Claimant(dataDir);
    expect(await owner.claim()).toEqual({ ok: true });
    expect(claimDataDir(dataDir)).toEqual({ ok: false, owner: { pid: owner.child.pid, url: null } });
    fakeAgentFile(dataDir, Number(owner.child.pid), 'http://127.0.0.1:4417');
    expect(claimDataDir(dataDir)).toEqual({
      ok: false,
      owner: { pid: owner.child.pid, url: 'http://127.0.0.1:4417' },
    });
    expect(await new Claimant(dataDir).claim()).toMatchObject({ ok: false, owner: { pid: owner.child.pid } });
  });

  it('is free again when its owner ends in peace, and holds nothing of the lock', async () => {
    const dataDir = tempFolder();
    const owner = new Claimant(dataDir);
    await owner.claim();
    fakeAgentFile(dataDir, Number(owner.child.pid), 'http://127.0.0.1:4417');
    owner.child.stdin?.end();
    await once(owner.child, 'exit');
    expect(readdirSync(dataDir)).toEqual([]);
    expect(await new Claimant(dataDir).claim()).toEqual({ ok: true });
  });

  it('is taken over from an owner that was killed, and what that one said is removed', async () => {
    const dataDir = tempFolder();
    for (let round = 0; round < 2; round += 1) {
      const owner = new Claimant(dataDir);
      expect(await owner.claim()).toEqual({ ok: true });
      expect(existsSync(dataPaths(dataDir).agentFile)).toBe(false);
      fakeAgentFile(dataDir, Number(owner.child.pid), 'http://127.0.0.1:4417');
      await owner.kill9();
    }
    const claim = claimDataDir(dataDir);
    expect(claim.ok).toBe(true);
    expect(readdirSync(dataDir)).toEqual(['agent.lock']);
    if (claim.ok) claim.instance.release();
  });

  it('goes to one of many that come at once after the owner was killed', async () => {
    const dataDir = tempFolder();
    const dead = new Claimant(dataDir);
    await dead.claim();
    await dead.kill9();
    const many = Array.from({ length: 4 }, () => new Claimant(dataDir, 'wait'));
    for (const one of many) expect(await one.line()).toBe('ready');
    for (const one of many) one.child.stdin?.write('go\n');
    const claims = await Promise.all(many.map((one) => one.claim()));
    expect(claims.filter((one) => one.ok)).toHaveLength(1);
    expect(lockOf(dataDir).pid).toBe(many[claims.findIndex((one) => one.ok)]?.child.pid);
    expect(readdirSync(dataDir)).toEqual(['agent.lock']);
  });

  it('is not kept by another process that got the number of a dead owner', async () => {
    const dataDir = tempFolder();
    const other = new Claimant(tempFolder());
    await other.claim();
    writeFileSync(
      dataPaths(dataDir).lockFile,
      JSON.stringify({ pid: other.child.pid, started: 'another start', nonce: '0a' }),
    );
    expect(claimDataDir(dataDir).ok).toBe(process.platform === 'linux' || process.platform === 'darwin');
  });

  it('is taken over when a successor died half-way, too, but not from one that is just at it', () => {
    const dataDir = tempFolder();
    const { lockFile } = dataPaths(dataDir);
    const dead = { pid: 2 ** 22 + 1, started: 'long ago' };
    writeFileSync(lockFile, JSON.stringify({ ...dead, nonce: '0a' }));
    writeFileSync(`${lockFile}.after-0a`, JSON.stringify({ ...dead, nonce: '0b' }));
    writeFileSync(`${lockFile}.after-0b`, JSON.stringify({ ...thisProcess(), nonce: '0c' }));
    expect(claimDataDir(dataDir)).toEqual({ ok: false, owner: { pid: process.pid, url: null } });
    writeFileSync(`${lockFile}.after-0b`, JSON.stringify({ ...dead, nonce: '0c' }));
    expect(claimDataDir(dataDir).ok).toBe(true);
    expect(readdirSync(dataDir)).toEqual(['agent.lock']);
  });

  it.each(['', 'null', '{"pid":', '{}', '{"pid":1,"nonce":"../x"}'])(
    'is taken over from a lock that holds %j',
    (text) => {
      const dataDir = tempFolder();
      writeFileSync(dataPaths(dataDir).lockFile, text);
      expect(claimDataDir(dataDir).ok).toBe(true);
      expect(lockOf(dataDir).pid).toBe(process.pid);
    },
  );

  it('stays with who took it over while another one was still looking at the dead owner', () => {
    const dataDir = tempFolder();
    const { lockFile } = dataPaths(dataDir);
    const dead = { pid: 2 ** 22 + 1, started: 'long ago', nonce: '0a' };
    const faster = JSON.stringify({ ...thisProcess(), nonce: '0b' });
    writeFileSync(lockFile, faster);
    writeFileSync(`${lockFile}.0c`, JSON.stringify({ ...thisProcess(), nonce: '0c' }));
    expect(takeOver(lockFile, `${lockFile}.0c`, dead)).toBe('changed');
    expect(readFileSync(lockFile, 'utf8')).toBe(faster);
    expect(readdirSync(dataDir)).toEqual(['agent.lock', 'agent.lock.0c']);
  });

  it('keeps the lock of a new owner when an old one lets go late', () => {
    const dataDir = tempFolder();
    const claim = claimDataDir(dataDir);
    if (!claim.ok) throw new Error('the directory is taken');
    writeFileSync(dataPaths(dataDir).lockFile, JSON.stringify({ ...thisProcess(), nonce: '0f' }));
    claim.instance.release();
    expect(lockOf(dataDir).nonce).toBe('0f');
  });

  it.skipIf(process.platform === 'win32')('is for this user only, as are its files', () => {
    const dataDir = path.join(tempFolder(), 'a', 'b');
    const claim = claimDataDir(dataDir);
    if (!claim.ok) throw new Error('the directory is taken');
    fakeAgentFile(dataDir, process.pid, 'http://127.0.0.1:1');
    const modes = [dataDir, ...readdirSync(dataDir).map((name) => path.join(dataDir, name))].map(
      (file) => statSync(file).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });
});

describe('a process', () => {
  it('is this one, and no other with its number', () => {
    const me = thisProcess();
    expect(isSameProcess(me)).toBe(true);
    expect(isSameProcess({ ...me, started: null })).toBe(true);
    expect(isSameProcess({ pid: 0, started: null })).toBe(false);
    expect(isSameProcess({ pid: -1, started: null })).toBe(false);
    expect(isSameProcess({ pid: 2 ** 22 + 1, started: me.started })).toBe(false);
  });
});
