// Two desktops with one server, all of them real agents with folders: real files arrive with the same bytes, and changes go both ways.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { filesOf } from '../../support/remote-agents.ts';
import { type Desktop, drop, expectInStep, folderOf, put, remoteScene } from '../../support/remote-scene.ts';
import { sha256 } from '../../support/trees.ts';
import { waitFor } from '../../support/wait-for.ts';

const realFiles = 300;
const packages = ['@fontsource-variable/inter/files', 'fastify', 'better-sqlite3', 'jose'];

/** Files of installed packages: texts, fonts, compiled programs. */
function filesOfPackages(): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const name of packages) {
    const root = path.join('node_modules', name);
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (found.size === realFiles) return found;
      const file = path.join(entry.parentPath, entry.name);
      const to = path.join(path.basename(name), path.relative(root, file));
      if (entry.isFile() && !/(^|\/)(\.|node_modules\/)/.test(to)) found.set(to, readFileSync(file));
    }
  }
  return found;
}

const unusual: ReadonlyMap<string, Buffer> = new Map([
  ['unusual/empty', Buffer.alloc(0)],
  ['unusual/with mark.txt', Buffer.from('\u{feff}text\n')],
  ['unusual/line ends.txt', Buffer.from('one\r\ntwo\rthree\n')],
  ['unusual/no text.md', Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28])],
  ['unusual/Grüße 📁.md', Buffer.from('name\n')],
]);

it('brings 300 real files from one folder to another byte by byte, and changes both ways', async () => {
  const scene = await remoteScene(2, { '/docs/of the server.md': 'text\n', '/docs/deleted.md': 'text\n' });
  const { server, desktops } = scene;
  const [one, two] = desktops as [Desktop, Desktop];
  const sources = new Map([...filesOfPackages(), ...unusual]);
  expect(sources.size).toBe(realFiles + unusual.size);
  for (const [file, bytes] of sources) put(one, file, bytes);
  await expectInStep(scene);
  const arrived = folderOf(two);
  for (const [file, bytes] of sources) expect(arrived.get(`/${file}`), file).toBe(sha256(bytes));
  expect(arrived.size).toBe(sources.size + 2);

  put(two, 'docs/of the server.md', 'from a desktop\n');
  drop(one, 'docs/deleted.md');
  await server.client.writeFile(server.workspaceId, '/docs/new.md', 'from the server\n');
  await waitFor('the edit on the other desktop', () =>
    readFileSync(path.join(one.folder, 'docs/of the server.md'), 'utf8').includes('from a desktop'),
  );
  await waitFor('the deletion on the server', async () => !(await filesOf(server)).has('/docs/deleted.md'));
  expect([...(await expectInStep(scene)).keys()].filter((file) => file.startsWith('/docs/')).sort()).toEqual([
    '/docs/new.md',
    '/docs/of the server.md',
  ]);
});
