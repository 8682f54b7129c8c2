// One agent per data directory, with real processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { announceAgent } from '../../server/agent/data-dir.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { dataPaths } from '../../server/platform/files/paths.ts';
import { readAgentFile } from '../../server/platform/process/agent-file.ts';
import {
  isProcessAlive,
  isSameProcess,
  thisProcess,
} from '../../server/platform/process/process-identity.ts';
import { processFile } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Each contender is a process that opens a store.
vi.setConfig({ testTimeout: 300_000 });

class LockContender {
  readonly child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(dataDir: string, ...args: readonly string[]) {
    const script = processFile('lock-contender');
    const child = spawn(process.execPath, [script, dataDir, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.child = child;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null) await this.kill9();
    });
  }

  /** `opened`, or the refusal. */
  async line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error('the lock contender ended without a result');
    return value;
  }

  async kill9(): Promise<void> {
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  async end(): Promise<void> {
    this.child.stdin?.end();
    await once(this.child, 'exit');
  }
}

function announce(dataDir: string, pid: number, url: string): void {
  const file = dataPaths(dataDir).agentFile;
  const content = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...content, pid, url }));
}

describe('a data directory', () => {
  it('has one owner; every other agent is refused with its pid, and its address once it listens', async () => {
    const dataDir = tempFolder();
    const owner = new LockContender(dataDir);
    expect(await owner.line()).toBe('opened');
    const pid = Number(owner.child.pid);
    expect(readAgentFile(dataDir)).toMatchObject({ pid, url: null });
    expect(await new LockContender(dataDir).line()).toBe(
      `AgentStartError: Data directory ${dataDir} is in use by another agent (pid ${pid}).`,
    );
    announce(dataDir, pid, 'http://127.0.0.1:4417');
    expect(await new LockContender(dataDir).line()).toBe(
      `AgentStartError: Data directory ${dataDir} is in use by another agent at http://127.0.0.1:4417 (pid ${pid}).`,
    );
    expect(readAgentFile(dataDir)?.pid).toBe(pid);
  });

  it('is free again when its owner stops, without an agent.json', async () => {
    const dataDir = tempFolder();
    const owner = new LockContender(dataDir);
    await owner.line();
    await owner.end();
    expect(existsSync(dataPaths(dataDir).agentFile)).toBe(false);
    expect(await new LockContender(dataDir).line()).toBe('opened');
  });

  it('is free again when its owner is killed, and the next owner replaces agent.json', async () => {
    const dataDir = tempFolder();
    for (let round = 0; round < 2; round += 1) {
      const owner = new LockContender(dataDir);
      expect(await owner.line()).toBe('opened');
      expect(readAgentFile(dataDir)).toMatchObject({ pid: owner.child.pid, url: null });
      announce(dataDir, Number(owner.child.pid), 'http://127.0.0.1:4417');
      await owner.kill9();
    }
    expect(await new LockContender(dataDir).line()).toBe('opened');
  });

  it('goes to one of many agents that start at once after the owner was killed', async () => {
    const dataDir = tempFolder();
    const dead = new LockContender(dataDir);
    await dead.line();
    await dead.kill9();
    const many = Array.from({ length: 4 }, () => new LockContender(dataDir, 'wait'));
    for (const contender of many) expect(await contender.line()).toBe('ready');
    for (const contender of many) contender.child.stdin?.write('go\n');
    const results = await Promise.all(many.map((contender) => contender.line()));
    expect(results.filter((result) => result === 'opened')).toHaveLength(1);
    expect(readAgentFile(dataDir)?.pid).toBe(many[results.indexOf('opened')]?.child.pid);
  });

  it('is not blocked by the lock file of a former version, nor by an agent.json that is not valid', async () => {
    const dataDir = tempFolder();
    writeFileSync(path.join(dataDir, 'agent.lock'), JSON.stringify({ ...thisProcess(), nonce: '0a' }));
    writeFileSync(dataPaths(dataDir).agentFile, '{"pid":');
    const owner = new LockContender(dataDir);
    expect(await owner.line()).toBe('opened');
    writeFileSync(dataPaths(dataDir).agentFile, '{}');
    expect(await new LockContender(dataDir).line()).toBe(
      `AgentStartError: Data directory ${dataDir} is in use by another process.`,
    );
  });

  it.skipIf(process.platform === 'win32')('is for this user only, as is agent.json', async () => {
    const dataDir = path.join(tempFolder(), 'a', 'b');
    const owner = new LockContender(dataDir);
    await owner.line();
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(dataPaths(dataDir).agentFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('a process', () => {
  it('is this one, and no other with its id', () => {
    const me = thisProcess();
    expect(isSameProcess(me)).toBe(true);
    expect(isSameProcess({ ...me, started: null })).toBe(true);
    expect(isSameProcess({ pid: 0, started: null })).toBe(false);
    expect(isSameProcess({ pid: -1, started: null })).toBe(false);
    expect(isSameProcess({ pid: 2 ** 22 + 1, started: me.started })).toBe(false);
    expect([process.pid, 0, -1, 1.5, 2 ** 22 + 1].map(isProcessAlive)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('announces itself without an address until it listens', () => {
    const dataDir = tempFolder();
    announceAgent(dataDir, systemClock, null);
    expect(JSON.parse(readFileSync(dataPaths(dataDir).agentFile, 'utf8'))).not.toHaveProperty('url');
    announceAgent(dataDir, systemClock, 'http://127.0.0.1:1');
    expect(readAgentFile(dataDir)).toMatchObject({ pid: process.pid, url: 'http://127.0.0.1:1' });
  });
});
