// Job 3: files are shown by their kind: rendered Markdown, formatted JSON, tables, highlighted source, images, PDF, audio, hex; raw is one key away. Hostile
// files run nothing and load nothing (fixtures.ts fails a page that asks another server for anything).
import type { Page } from '@playwright/test';
import { look, lookAtState } from '../look.ts';
import type { UiAgent } from '../ui-agent.ts';
import { expect, jobTest, seen } from './job-test.ts';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAABlBMVEX///+/v7+jQ3Y5AAAADklEQVQI12P4AIX8EAgALgAD/aNpbtEAAAAASUVORK5CYII',
  'base64',
);

async function openFile(page: Page, agent: UiAgent, workspaceId: string, path: string): Promise<void> {
  await page.goto(`${agent.url}/#files${path}?workspace=${workspaceId}&view=content`);
  await expect(page.getByRole('region', { name: 'File', exact: true })).toBeVisible();
}

jobTest('3. Read a file of each kind', async ({ page, filled, signIn, timed }) => {
  const { agent } = filled;
  const { client } = agent;
  const { workspaceId } = await client.workspaces.create({ name: 'library' });
  const write = (path: string, content: string | Uint8Array, contentType?: string) =>
    client.writeFile(workspaceId, path, content, contentType === undefined ? {} : { contentType });
  await write(
    '/plan.md',
    [
      '# Plan\n\n- [x] done\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[Data](data/a.json) ![Logo](logo.png) [Later](#later-part)',
      'A claim.[^1]',
      ...Array.from({ length: 60 }, (_, n) => `Paragraph ${n}.`),
      '## Later part\n\n[^1]: Its source.\n',
    ].join('\n\n'),
  );
  await write('/data/a.json', '{"big":12345678901234567890,"list":[1,{"a":true}]}');
  await write(
    '/table.csv',
    `name,amount\n${Array.from({ length: 500 }, (_, n) => `"Row, ${n}",${n}`).join('\n')}\n`,
  );
  await write('/main.ts', "// The main part.\nexport const answer = 'yes';\n");
  await write('/logo.png', pixel, 'image/png');
  await write('/paper.pdf', Buffer.from('%PDF-1.4\n%\xff\xfe\n', 'latin1'), 'application/pdf');
  await write('/tone.wav', Buffer.from('RIFF\x24\0\0\0WAVEfmt \xff\xfe', 'latin1'), 'audio/wav');
  const bytes = new Uint8Array(3_000_000).map((_, n) => n % 251);
  await write('/data.bin', bytes, 'application/octet-stream');
  await write('/large.bin', new Uint8Array(10_000_000).fill(0xab), 'application/octet-stream');
  await signIn();

  const content = page.getByRole('region', { name: 'Content of plan.md' });
  await timed('open Markdown: until it is rendered', 1_000, async () => {
    await openFile(page, agent, workspaceId, '/plan.md');
    await seen(content.getByRole('heading', { name: 'Plan' }));
  });
  await expect(content.getByRole('checkbox', { name: 'Done' })).toBeChecked();
  await expect(content.getByRole('img', { name: 'Logo' })).toHaveAttribute('src', /^blob:/);
  await look(page, 'viewer-markdown');
  // Links within the file.
  await content.getByRole('link', { name: 'Later' }).click();
  await expect(content.getByRole('heading', { name: 'Later part' })).toBeFocused();
  await expect(content.getByRole('heading', { name: 'Later part' })).toBeInViewport();
  await content.getByRole('link', { name: 'Back to reference 1' }).click();
  await expect(content.getByRole('link', { name: '1', exact: true })).toBeFocused();
  await content.getByRole('link', { name: '1', exact: true }).click();
  await expect(content.getByRole('listitem').filter({ hasText: 'Its source.' })).toBeFocused();
  await expect(content.getByRole('link', { name: 'Data' })).toHaveAttribute(
    'href',
    `#files/data/a.json?workspace=${workspaceId}`,
  );
  await timed('V: until it is raw', 200, async () => {
    await page.keyboard.press('v');
    await expect(content.getByText('# Plan')).toBeVisible();
  });
  await page.keyboard.press('v');
  await content.getByRole('link', { name: 'Data' }).click();

  const json = page.getByRole('region', { name: 'Content of a.json' });
  await expect(json.getByText('12345678901234567890')).toBeVisible();
  await expect(json.locator('.hljs-attr').first()).toHaveText('"big"');
  await page.getByRole('button', { name: 'Raw', exact: true }).click();
  await expect(json.getByText('{"big":12345678901234567890,"list":[1,{"a":true}]}')).toBeVisible();

  await timed('open a table of 500 rows', 1_000, async () => {
    await openFile(page, agent, workspaceId, '/table.csv');
    await expect(page.getByText('500 rows, 2 columns')).toBeVisible();
  });
  await expect(page.getByRole('table').getByRole('cell', { name: 'Row, 3', exact: true })).toBeVisible();
  await lookAtState(page, 'viewer-table');

  await openFile(page, agent, workspaceId, '/main.ts');
  await expect(page.locator('.hljs-comment')).toHaveText('// The main part.');
  await lookAtState(page, 'viewer-code');

  await openFile(page, agent, workspaceId, '/logo.png');
  const image = page.getByRole('img', { name: 'logo.png' });
  await expect(page.getByText('8 × 8 pixels')).toBeVisible();
  await page.getByRole('button', { name: '400 %' }).click();
  await expect.poll(async () => (await image.boundingBox())?.width).toBe(32);
  await lookAtState(page, 'viewer-image');

  await openFile(page, agent, workspaceId, '/paper.pdf');
  // A browser without windows has no viewer.
  if (await page.evaluate(() => navigator.pdfViewerEnabled))
    await expect(page.locator('iframe[title="paper.pdf"]')).toHaveAttribute('src', /^blob:/);
  else await expect(page.getByText('PDF files cannot be shown here')).toBeVisible();
  await openFile(page, agent, workspaceId, '/tone.wav');
  await expect(page.locator('audio[aria-label="tone.wav"]')).toHaveAttribute('src', /^blob:/);

  await openFile(page, agent, workspaceId, '/data.bin');
  const hex = page.getByRole('region', { name: 'Bytes of data.bin' });
  await expect(hex.getByText('00000010', { exact: true })).toBeVisible();
  await expect(hex.getByText('10 11 12 13 14 15 16 17  18 19 1a 1b 1c 1d 1e 1f')).toBeVisible();
  await hex.press('End');
  await expect(hex.getByText('002dc6b0', { exact: true })).toBeVisible();
  await lookAtState(page, 'viewer-hex');

  // Of a large file only the part in view is read.
  await openFile(page, agent, workspaceId, '/large.bin');
  let areRefused = true;
  await page.route('**/fs/file?*', async (route) => {
    await (areRefused ? route.abort('connectionreset') : route.fallback());
  });
  await page.getByRole('button', { name: 'Show bytes' }).click();
  const read: string[] = [];
  page.on('request', (request) => read.push(request.headers().range ?? ''));
  const large = page.getByRole('region', { name: 'Bytes of large.bin' });
  // A part that cannot be read says why, and is read on request.
  const note = page.getByText('Some bytes could not be loaded.');
  await expect(note).toBeVisible();
  await expect(large.getByText('…').first()).toBeVisible();
  await lookAtState(page, 'viewer-hex-failed');
  areRefused = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(note).toBeHidden();
  await expect(large.getByText('00000010', { exact: true })).toBeVisible();
  await timed('to the end of 10 MB: until its bytes are shown', 1_000, async () => {
    await large.press('End');
    await expect(large.getByText('00989670', { exact: true })).toBeVisible();
  });
  await expect(large.getByText('ab ab ab ab ab ab ab ab  ab ab ab ab ab ab ab ab').first()).toBeVisible();
  expect(read.filter((range) => range.startsWith('bytes=99')).length).toBeGreaterThan(0);

  // Bytes of two revisions are never mixed.
  await agent.client.files.writeRaw(workspaceId, '/large.bin', Buffer.alloc(10_000_000, 0xcd));
  await expect(large.getByText('cd cd cd cd cd cd cd cd  cd cd cd cd cd cd cd cd').first()).toBeVisible();
  await expect(large.getByText(/^ab ab/)).toHaveCount(0);
});

jobTest('3. Read a hostile file: nothing runs, nothing loads', async ({ page, filled, signIn }) => {
  const { agent } = filled;
  const { workspaceId } = await agent.client.workspaces.create({ name: 'hostile' });
  const elsewhere = 'http://elsewhere.invalid';
  const attack = [
    '<script>window.hit = 1</script><img src=x onerror="window.hit = 1"><iframe src="javascript:parent.hit=1"></iframe>',
    `![out](${elsewhere}/a.png) ![data](data:image/svg+xml,<svg/onload=hit=1>)`,
    '[click](javascript:window.hit=1) [vb](vbscript:x) <https://ok.invalid>',
    '<form action="/v1/workspaces"><input name=q></form><style>body{display:none}</style>',
    `<link rel=stylesheet href=${elsewhere}/a.css> <svg onload="window.hit=1"></svg>`,
    '[ref]: javascript:window.hit=1 "x"\n\n[ref]',
  ].join('\n\n');
  await agent.client.writeFile(workspaceId, '/hostile.md', attack);
  await agent.client.writeFile(
    workspaceId,
    '/hostile.svg',
    `<svg xmlns="http://www.w3.org/2000/svg" onload="parent.hit=1"><script>parent.hit=1</script><image href="${elsewhere}/a.png"/></svg>`,
    { contentType: 'image/svg+xml' },
  );
  await agent.client.writeFile(workspaceId, '/hostile.csv', '=cmd|calc,<img src=x onerror=hit=1>\n"open\n');
  await agent.client.writeFile(
    workspaceId,
    '/hostile.json',
    '{"__proto__":{"a":1},"x":"<script>hit=1</script>"',
  );
  await signIn();
  await openFile(page, agent, workspaceId, '/hostile.md');
  const content = page.getByRole('region', { name: 'Content of hostile.md' });
  await expect(content.getByRole('link', { name: `Image “out”: ${elsewhere}/a.png` })).toHaveAttribute(
    'rel',
    /noreferrer/,
  );
  await expect(
    content.locator('script, iframe, form, style, svg, [onerror], [href^="javascript"], img'),
  ).toHaveCount(0);
  await openFile(page, agent, workspaceId, '/hostile.svg');
  await expect(page.getByRole('img', { name: 'hostile.svg' })).toBeVisible();
  await openFile(page, agent, workspaceId, '/hostile.csv');
  await expect(page.getByRole('columnheader', { name: '=cmd|calc' })).toBeVisible();
  await openFile(page, agent, workspaceId, '/hostile.json');
  await expect(page.getByText('Not valid JSON')).toBeVisible();
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
});
