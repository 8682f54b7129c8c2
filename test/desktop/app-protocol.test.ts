import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppPages, contentSecurityPolicy, isAppUrl } from '../../electron/app-protocol.ts';
import type { AgentState, CrashReport } from '../../electron/ipc-contract.ts';
import { tempFolder } from '../support/temp-folder.ts';

const url = 'http://127.0.0.1:4417';
const ready: AgentState = { kind: 'ready', url };

/** The pages of a UI of two files, beside one that is none of its. */
function pagesUnderTest(state: AgentState = ready, crash: CrashReport | null = null) {
  const outside = tempFolder('mooring-pages');
  writeFileSync(path.join(outside, 'secret.txt'), 'secret');
  const folder = path.join(outside, 'renderer');
  mkdirSync(path.join(folder, 'assets'), { recursive: true });
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>UI</title>');
  writeFileSync(path.join(folder, 'assets/index-1a2b3c4d.js'), 'export {};');
  const now = { state };
  const pages = new AppPages({ folder, agent: () => now.state, lastCrash: () => crash });
  return { pages, now, get: (where: string) => pages.answer(new Request(`app://mooring${where}`)) };
}

describe('a request to app://mooring', () => {
  it('gets the files of the UI, and with the page a policy that names exactly the address of the agent', async () => {
    const { pages, get } = pagesUnderTest();
    const page = await get('/');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<title>UI</title>');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; media-src blob:; frame-src blob:; " +
        'connect-src http://127.0.0.1:4417 ws://127.0.0.1:4417; ' +
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(pages.servedFor).toBe(url);
    const script = await get('/assets/index-1a2b3c4d.js?x=1');
    expect([script.status, script.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ]);
  });

  it.each([
    '/secret.txt',
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/assets',
    '/assets/',
    '/.env',
    '/assets/missing.js',
    '/v1/workspaces',
  ])('gets nothing at %s', async (where) => {
    const { get } = pagesUnderTest();
    expect((await get(where)).status).toBe(404);
  });

  it('with another method, or to any other host, is not found', async () => {
    const { pages } = pagesUnderTest();
    const post = new Request('app://mooring/', { method: 'POST', body: 'x' });
    const answers = [await pages.answer(post), await pages.answer(new Request('app://elsewhere/'))];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });

  it('gets a page that calls nobody and says what is going on while there is no agent', async () => {
    const { pages, now, get } = pagesUnderTest({ kind: 'starting' });
    const page = await get('/');
    expect(page.status).toBe(503);
    expect(page.headers.get('content-security-policy')).toBe(contentSecurityPolicy(null));
    expect(page.headers.get('content-security-policy')).toContain("connect-src 'none'");
    expect(await page.text()).toContain('Starting Mooring…');
    expect(pages.servedFor).toBeNull();
    now.state = { kind: 'restarting', attempt: 2, delayMs: 1000, reason: 'exited with code 139' };
    expect(await (await get('/')).text()).toContain('Restarting in 1 s (attempt 2)');
  });

  it('gets the crash report once the agent is given up on: cause, path, next, retry and its last lines', async () => {
    const crash = {
      reason: 'no space <left>',
      at: '2026-11-20T12:00:00.000Z',
      failures: 8,
      lastLines: ['{"level":"error","msg":"<b>disk</b>"}'],
      file: '/logs/agent-crash.txt',
    };
    const { get } = pagesUnderTest({ kind: 'failed', reason: crash.reason }, crash);
    const html = await (await get('/')).text();
    expect(html).toContain('<dt>Cause</dt><dd>no space &#60;left&#62;</dd>');
    expect(html).toContain('<dt>Path</dt><dd>/logs/agent-crash.txt</dd>');
    expect(html).toContain('&#60;b&#62;disk&#60;/b&#62;');
    expect(html).toContain('data-act="revive"');
    for (const file of ['/shell/status.css', '/shell/status.js']) expect((await get(file)).status).toBe(200);
  });
});

describe('an address of ours', () => {
  it.each([
    ['app://mooring/', true],
    ['app://mooring/files/a?b#c', true],
    ['app://mooring.example/', false],
    ['app://user@mooring:1/', false],
    ['https://mooring/', false],
    ['about:blank', false],
    ['', false],
  ])('%s: %s', (address, ours) => {
    expect(isAppUrl(address)).toBe(ours);
  });
});
