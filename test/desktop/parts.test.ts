// The small parts of the shell, each with a stand-in for what is around it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LastLines, reportCrash } from '../../electron/crash-report.ts';
import { locationInArguments, locationOfLink } from '../../electron/deep-link.ts';
import { DesktopSettings } from '../../electron/desktop-file.ts';
import type { UpdateState } from '../../electron/ipc-contract.ts';
import { LoginItem } from '../../electron/login-item.ts';
import { type AgentSnapshot, Monitor } from '../../electron/monitor.ts';
import { PauseAll } from '../../electron/pause-all.ts';
import { type KeyStorage, loadMasterKey } from '../../electron/secrets.ts';
import { type UpdateEngine, Updater } from '../../electron/updater.ts';
import { windowBounds } from '../../electron/window-state.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { mirrorOf, viewOf } from './view-fixture.ts';

/** What the app notes for whoever reads its log is not news here. */
function quietLog(): void {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => spy.mockRestore());
}

describe('a mooring:// link', () => {
  it.each([
    ['mooring://open/overview', 'overview'],
    ['mooring://open/files/docs/a%20b.md?workspace=rw_1', 'files/docs/a%20b.md?workspace=rw_1'],
    ['mooring://open/dead-letters', 'dead-letters'],
    ['mooring://open/runs/run_1?workspace=rw_1', 'runs/run_1?workspace=rw_1'],
  ])('%s opens %s', (link, place) => {
    expect(locationOfLink(link)).toBe(place);
    expect(locationInArguments(['/usr/bin/mooring', '--flag', link])).toBe(place);
  });

  it('opens each screen of the UI', () => {
    const source = readFileSync(path.resolve(import.meta.dirname, '../../renderer/screens.ts'), 'utf8');
    const ids = [...source.matchAll(/^ {4}id: '([a-z-]+)',$/gm)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(8);
    for (const id of ids) expect(locationOfLink(`mooring://open/${id}`)).toBe(id);
  });

  it.each([
    'mooring://open/',
    'mooring://open/sign-in=abc',
    'mooring://open/overview#sign-in=abc',
    'mooring://run/overview',
    'mooring://u:p@open/overview',
    'https://open/overview',
    `mooring://open/files/${'x'.repeat(2048)}`,
    'mooring:overview',
    '',
  ])('%s opens nothing', (link) => {
    expect(locationOfLink(link)).toBeNull();
  });
});

describe('the window', () => {
  const screens = [{ x: 0, y: 25, width: 1920, height: 1055 }];
  const saved = { x: 100, y: 100, width: 1000, height: 700, maximized: false };

  it('stands where it stood', () => {
    expect(windowBounds(saved, screens)).toEqual(saved);
  });

  it('comes back to a screen that is there, and is never too small', () => {
    const lost = { width: 1180, height: 780, maximized: true };
    expect(windowBounds({ ...saved, x: 2500, maximized: true }, screens)).toEqual(lost);
    expect(windowBounds({ ...saved, y: 0, maximized: true }, screens)).toEqual(lost);
    expect(windowBounds({ ...saved, y: 1070, maximized: true }, screens)).toEqual(lost);
    expect(windowBounds({ ...saved, width: 1, height: 1 }, screens)).toMatchObject({
      width: 900,
      height: 640,
    });
    expect(windowBounds(null, screens)).toEqual({ ...lost, maximized: false });
  });
});

describe('what the app remembers', () => {
  it('is there after a restart; each part that is wrong is as good as none', () => {
    const file = path.join(tempFolder(), 'new/desktop.json');
    new DesktopSettings(file).change({ keepRunning: true });
    expect(new DesktopSettings(file).content).toMatchObject({ keepRunning: true, notifications: true });
    writeFileSync(
      file,
      '{"keepRunning":"yes","window":{"x":1},"notifications":false,"pausedTogether":[1],"updateFeed":7}',
    );
    expect(new DesktopSettings(file).content).toEqual({
      window: null,
      keepRunning: null,
      notifications: false,
      pausedTogether: [],
      updateFeed: null,
    });
    writeFileSync(file, '{');
    expect(new DesktopSettings(file).content.notifications).toBe(true);
  });

  it('holds until the end when the disk does not take it', () => {
    quietLog();
    const folder = tempFolder();
    mkdirSync(path.join(folder, 'desktop.json.tmp'));
    const settings = new DesktopSettings(path.join(folder, 'desktop.json'));
    settings.change({ notifications: false });
    expect(settings.content.notifications).toBe(false);
  });
});

describe('the key that seals secrets', () => {
  /** A keychain that turns text around. */
  function keychain(over: Partial<KeyStorage> = {}): KeyStorage {
    const turned = (text: string) => [...text].reverse().join('');
    return {
      isAsyncEncryptionAvailable: async () => true,
      getSelectedStorageBackend: () => 'gnome_libsecret',
      encryptStringAsync: async (text) => Buffer.from(turned(text)),
      decryptStringAsync: async (data) => ({ result: turned(data.toString()), shouldReEncrypt: false }),
      ...over,
    };
  }

  it('is made once, kept sealed, and the same after a restart', async () => {
    const file = path.join(tempFolder(), 'user/master.key');
    const first = await loadMasterKey(keychain(), file, 'linux');
    expect(first.protection).toEqual({ kind: 'system-keychain' });
    expect(Buffer.from(first.key ?? '', 'base64')).toHaveLength(32);
    expect(readFileSync(file, 'utf8')).not.toContain(first.key);
    expect(await loadMasterKey(keychain(), file, 'linux')).toEqual(first);
  });

  it('is sealed anew when the system has rotated its own', async () => {
    const file = path.join(tempFolder(), 'master.key');
    const { key } = await loadMasterKey(keychain(), file, 'linux');
    const rotated = keychain({
      decryptStringAsync: async () => ({ result: key ?? '', shouldReEncrypt: true }),
      encryptStringAsync: async (text) => Buffer.from(`new:${text}`),
    });
    expect((await loadMasterKey(rotated, file, 'linux')).key).toBe(key);
    expect(readFileSync(file, 'utf8')).toBe(`new:${key}`);
    expect(readdirSync(path.dirname(file))).toEqual(['master.key']);
  });

  it.each([
    ['no keychain', { isAsyncEncryptionAvailable: async () => false }, 'No system keychain is available.'],
    [
      'only a fixed password',
      { getSelectedStorageBackend: () => 'basic_text' as const },
      /^No unlocked keyring/,
    ],
    [
      'a locked one',
      { encryptStringAsync: async () => Promise.reject(new Error('locked')) },
      'The keychain failed: locked.',
    ],
  ])('is not made where there is %s, and the reason is said', async (_what, over, why) => {
    const file = path.join(tempFolder(), 'master.key');
    const { key, protection } = await loadMasterKey(keychain(over), file, 'linux');
    expect(key).toBeNull();
    expect(protection).toEqual({ kind: 'file-permissions', why: expect.stringMatching(why) });
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });

  it('that is there and cannot be read is not replaced', async () => {
    const file = path.join(tempFolder(), 'master.key');
    writeFileSync(file, 'something else');
    const { key, protection } = await loadMasterKey(keychain(), file, 'linux');
    expect([key, protection.kind]).toEqual([null, 'file-permissions']);
    expect(readFileSync(file, 'utf8')).toBe('something else');
  });
});

describe('start at login', () => {
  function loginItem(platform: NodeJS.Platform, isPackaged = true, executable = '/opt/My "Apps"/$mooring') {
    const configFolder = tempFolder('mooring-config');
    const set: unknown[] = [];
    let openAtLogin = false;
    const app = {
      isPackaged,
      getLoginItemSettings: () => ({ openAtLogin }) as never,
      setLoginItemSettings: (settings: { openAtLogin?: boolean }) => {
        set.push(settings);
        openAtLogin = settings.openAtLogin ?? false;
      },
    };
    const make = (where: string) => new LoginItem({ app, platform, executable: where, configFolder });
    const read = () => readFileSync(path.join(configFolder, 'autostart/mooring.desktop'), 'utf8');
    return { item: make(executable), make, read, set };
  }

  it('is a file of the desktop on Linux, which follows the app when that has moved', () => {
    const { item, make, read } = loginItem('linux');
    expect(item.state).toEqual({ on: false, unavailable: null });
    item.set(true);
    expect(item.state.on).toBe(true);
    expect(read()).toContain('Exec="/opt/My \\\\"Apps\\\\"/\\\\$mooring" --hidden\n');
    const moved = make('/opt/mooring');
    moved.refresh();
    expect(read()).toContain('Exec="/opt/mooring" --hidden\n');
    moved.set(false);
    moved.set(false);
    expect(moved.state.on).toBe(false);
    moved.refresh();
    expect(moved.state.on).toBe(false);
  });

  it('is a login item on macOS and Windows', () => {
    for (const platform of ['darwin', 'win32'] as const) {
      const { item, set } = loginItem(platform);
      item.set(true);
      expect(item.state.on).toBe(true);
      expect(set).toEqual([{ openAtLogin: true, args: ['--hidden'] }]);
    }
  });

  it('is not offered by a checkout', () => {
    const { item, set } = loginItem('win32', false);
    item.set(true);
    expect([item.state.unavailable, set]).toEqual(['Only an installed app can start at login.', []]);
  });
});

describe('updates', () => {
  function updaterUnderTest(feed: string | null, isPackaged = true) {
    const listeners = new Map<string, (payload: never) => void>();
    const feeds: unknown[] = [];
    const installs: string[] = [];
    const engine = {
      autoDownload: false,
      autoInstallOnAppQuit: false,
      setFeedURL: (options: unknown) => feeds.push(options),
      checkForUpdates: async () => undefined,
      quitAndInstall: () => installs.push('install'),
      on: (event: string, listener: (payload: never) => void) => listeners.set(event, listener),
    };
    const states: UpdateState[] = [];
    let made = 0;
    const updater = new Updater({
      feed,
      isPackaged,
      engine: () => {
        made += 1;
        return engine as UpdateEngine;
      },
      nowMs: () => Date.UTC(2026, 10, 20),
      after: () => () => undefined,
      onState: (state) => states.push(state),
    });
    const say = (event: string, payload?: unknown) => listeners.get(event)?.(payload as never);
    return { updater, engine, states, feeds, installs, say, made: () => made };
  }

  it.each([
    [null, true, 'No update feed is configured.'],
    ['http://example.com/', true, 'The configured feed URL is not https, or contains credentials.'],
    ['https://u:p@example.com/', true, 'The configured feed URL is not https, or contains credentials.'],
    ['https://example.com/', false, 'Only an installed app can be updated.'],
  ])('are off with the feed %s, and nothing is loaded for them', async (feed, packaged, why) => {
    const { updater, made } = updaterUnderTest(feed, packaged);
    updater.start();
    expect(await updater.check()).toEqual({ kind: 'off', why });
    expect([updater.install(), made()]).toEqual([false, 0]);
  });

  it('are downloaded in the background and installed on request', async () => {
    const { updater, engine, feeds, installs, say } = updaterUnderTest('https://example.com/mooring');
    expect([feeds, engine.autoInstallOnAppQuit]).toEqual([
      [{ provider: 'generic', url: 'https://example.com/mooring' }],
      true,
    ]);
    const checking = updater.check();
    expect(updater.state).toEqual({ kind: 'checking' });
    await checking;
    say('update-available', { version: '2.0.0' });
    say('download-progress', { percent: 41.7 });
    expect(updater.state).toEqual({ kind: 'downloading', version: '2.0.0', percent: 41 });
    expect(updater.install()).toBe(false);
    say('update-downloaded', { version: '2.0.0' });
    expect(updater.state).toEqual({ kind: 'downloaded', version: '2.0.0' });
    expect([updater.install(), installs]).toEqual([true, ['install']]);
  });

  it('that fail are said, and asked for again', async () => {
    const { updater, engine, say } = updaterUnderTest('https://example.com/mooring');
    engine.checkForUpdates = async () => Promise.reject(new Error('no such host'));
    const checkedAt = '2026-11-20T00:00:00.000Z';
    expect(await updater.check()).toEqual({ kind: 'failed', cause: 'no such host', checkedAt });
    engine.checkForUpdates = async () => undefined;
    await updater.check();
    say('update-not-available');
    expect(updater.state).toEqual({ kind: 'idle', checkedAt });
  });
});

describe('a crash report', () => {
  const about = { nowMs: Date.UTC(2026, 10, 20, 12), version: '1.2.3', system: 'linux x64' };

  it('holds the last lines, whole ones and the one that was being said', () => {
    const lines = new LastLines();
    for (let n = 0; n < 300; n += 1) lines.append(`line ${n}\nhal`);
    lines.append('f');
    expect(lines.lines).toHaveLength(201);
    expect(lines.lines.at(-1)).toBe('half');
    expect(lines.lines.at(-2)).toBe('halline 299');
  });

  it('is written, and the ten newest are kept', () => {
    const folder = path.join(tempFolder(), 'logs');
    const crash = { reason: 'exited with code 139', failures: 1 };
    for (let n = 0; n < 12; n += 1)
      reportCrash(crash, ['last'], folder, { ...about, nowMs: about.nowMs + n });
    const reports = readdirSync(folder).sort();
    expect(reports).toHaveLength(10);
    expect(reports[0]).toBe('agent-crash-2026-11-20T12-00-00-002Z.txt');
    expect(readFileSync(path.join(folder, reports[0] ?? ''), 'utf8')).toContain('exited with code 139');
  });

  it('that cannot be written is none on the disk, and one in the window', () => {
    quietLog();
    const file = path.join(tempFolder(), 'file');
    writeFileSync(file, '');
    expect(reportCrash({ reason: 'x', failures: 3 }, [], file, about)).toMatchObject({
      failures: 3,
      file: null,
    });
  });
});

describe('looking at the agent', () => {
  it('goes on while it is away, counts causes once, and asks for disks and tokens now and then', async () => {
    const timers: (() => void)[] = [];
    const sights: AgentSnapshot[] = [];
    const asked = { causes: 0, disks: [] as string[], tokens: [] as string[] };
    let ready = true;
    let nowMs = 0;
    const monitor = new Monitor({
      client: {
        view: async () => viewOf([mirrorOf({ state: 'syncing' })], { deadLetters: 12 }),
        largestCause: async () => {
          asked.causes += 1;
          return 11;
        },
        tokens: async (workspaceIds) => {
          asked.tokens.push(...workspaceIds);
          if (asked.tokens.length === 1) throw new Error('the workspace is gone');
          return [];
        },
      },
      agent: () => (ready ? { kind: 'ready', url: 'http://127.0.0.1:1' } : { kind: 'starting' }),
      clock: {
        now: () => nowMs,
        after: (_delayMs, callback) => {
          timers.push(callback);
          return () => timers.splice(timers.indexOf(callback), 1);
        },
      },
      nowMs: () => nowMs,
      onSnapshot: (sight) => sights.push(sight),
      freeBytes: async (dir) => {
        asked.disks.push(dir);
        if (dir === '/data') throw new Error('gone');
        return 5;
      },
    });
    const next = async () => {
      const before = sights.length;
      nowMs += 1_000;
      timers.shift()?.();
      await waitFor('the next look', () => sights.length > before && timers.length === 1);
    };
    monitor.refresh();
    await waitFor('the first look', () => sights.length === 1 && timers.length === 1);
    await next();
    expect(sights[1]).toMatchObject({
      busySinceMs: 0,
      largestCause: new Map([['ws_1', 11]]),
      disks: [{ dir: '/folders/home', freeBytes: 5 }],
    });
    ready = false;
    await next();
    expect(sights[2]).toMatchObject({ view: null, busySinceMs: null });
    expect([asked.causes, asked.disks.length]).toEqual([1, 2]);
    expect(asked.tokens).toEqual(['ws_1', 'ws_1']);
    monitor.stop();
    expect(timers).toEqual([]);
  });
});

describe('pausing all mirrors', () => {
  function pauserUnderTest() {
    const mirrors = [
      mirrorOf({ mirrorId: 'a' }),
      mirrorOf({ mirrorId: 'b', state: 'paused' }),
      mirrorOf({ mirrorId: 'c' }),
      // Waits for a decision about deletions: neither paused nor resumed.
      mirrorOf({ mirrorId: 'd', state: 'halted' }),
    ];
    const done: string[] = [];
    const now = { refused: '' };
    const set = (mirrorId: string, state: 'paused' | 'idle') => {
      if (mirrorId === now.refused) throw new Error('away');
      const at = mirrors.findIndex((mirror) => mirror.mirrorId === mirrorId);
      mirrors[at] = mirrorOf({ mirrorId, state });
    };
    const settings = new DesktopSettings(path.join(tempFolder(), 'desktop.json'));
    const pauser = new PauseAll({
      client: {
        status: async () => viewOf(mirrors).status,
        pause: async ({ mirrorId }, untilMs) => {
          set(mirrorId, 'paused');
          done.push(`pause ${mirrorId} ${untilMs ?? 'until resumed'}`);
        },
        resume: async ({ mirrorId }) => {
          set(mirrorId, 'idle');
          done.push(`resume ${mirrorId}`);
        },
      },
      settings,
    });
    const take = () => done.splice(0);
    return { pauser, mirrors, now, take };
  }

  it('passes the end to the agent, and resumes those that it paused, then the others', async () => {
    const { pauser, take } = pauserUnderTest();
    await pauser.pauseAll({ label: '', untilMs: 100 });
    expect(take()).toEqual(['pause a 100', 'pause c 100']);
    await pauser.resumeAll();
    expect(take()).toEqual(['resume a', 'resume c']);
    await pauser.resumeAll();
    expect(take()).toEqual(['resume b']);
  });

  it('once more gives those that are paused together the new end, and resumes all of them', async () => {
    const { pauser, mirrors, take } = pauserUnderTest();
    await pauser.pauseAll({ label: '', untilMs: 100 });
    mirrors.push(mirrorOf({ mirrorId: 'e' }));
    take();
    await pauser.pauseAll({ label: '', untilMs: null });
    expect(take()).toEqual(['pause a until resumed', 'pause c until resumed', 'pause e until resumed']);
    await pauser.resumeAll();
    expect(take()).toEqual(['resume a', 'resume c', 'resume e']);
  });

  it('that fails for one keeps those before it paused, and resumes them together', async () => {
    const { pauser, now, take } = pauserUnderTest();
    now.refused = 'c';
    await expect(pauser.pauseAll({ label: '', untilMs: null })).rejects.toThrow('away');
    await pauser.resumeAll();
    expect(take()).toEqual(['pause a until resumed', 'resume a']);
  });
});
