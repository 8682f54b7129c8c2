// GET /docs and the pages below it: static files, open to everybody, confined to this origin.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startHttpAgent } from '../support/http-agent.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('pages of the documentation are served without their ending, with a strict policy, and cached by their tag', async () => {
  const docsFolder = tempFolder('mooring-docs');
  mkdirSync(path.join(docsFolder, 'guides'));
  writeFileSync(path.join(docsFolder, 'index.html'), 'start');
  writeFileSync(path.join(docsFolder, 'guides/wire-contract.html'), 'contract');
  writeFileSync(path.join(docsFolder, 'site-1a2b3c4d.css'), 'a{}');
  const { url } = await startHttpAgent({ docsFolder });
  for (const [address, text] of [
    ['/docs', 'start'],
    ['/docs/', 'start'],
    ['/docs/guides/wire-contract', 'contract'],
    ['/docs/guides/wire-contract/', 'contract'],
  ] as const) {
    const answer = await fetch(url + address);
    expect([address, answer.status, await answer.text()]).toEqual([address, 200, text]);
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    const etag = answer.headers.get('etag') ?? '';
    expect((await fetch(url + address, { headers: { 'if-none-match': etag } })).status).toBe(304);
  }
  const style = await fetch(`${url}/docs/site-1a2b3c4d.css`);
  expect(style.headers.get('cache-control')).toContain('immutable');
  for (const wrong of ['/docs/none', '/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/guides'])
    expect((await fetch(url + wrong)).status, wrong).toBe(404);
});

test('documentation that is not built says so', async () => {
  const { url } = await startHttpAgent();
  const answer = await fetch(`${url}/docs`);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain('npm run build');
});
