import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { expect, it } from 'vitest';
import type { ChangeFiles } from '../../server/core/change/change.ts';
import { inlineBlob } from '../../server/store/contents/inline-content.ts';
import {
  importTarball,
  type TarballLimits,
  TarballRefusedError,
  tarballLimits,
} from '../../server/workspaces/import-tarball.ts';

async function archiveOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name: `root/${name}` }, content);
  archive.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of archive) pieces.push(piece as Buffer);
  return gzipSync(Buffer.concat(pieces));
}

/** What was handed to the one door; nothing lies behind it. */
async function imported(archive: Buffer, limits: Partial<TarballLimits>): Promise<readonly string[]> {
  const written: string[] = [];
  const result = await importTarball(
    {
      stage: (bytes) => Promise.resolve(inlineBlob('', bytes)),
      change: ({ changes }: Omit<ChangeFiles, 'kind'>) => {
        written.push(...changes.map((change) => ('path' in change ? change.path : '')));
        return Promise.resolve([]);
      },
    },
    {
      workspaceId: 'rw_import',
      directory: '/github/repos/ann/notes/contents',
      headSha: 'abcdef0',
      archive,
      actor: { kind: 'token', name: 'ann', tokenId: null },
      access: null,
      mayWrite: () => true,
      correlationId: 'c',
    },
    { ...tarballLimits, ...limits },
  );
  return [...written, ...result.skipped.map(({ path, reason }) => `${path} ${reason}`)];
}

const small = { a: 'x'.repeat(100), b: 'y'.repeat(100), c: 'z' };

it('imports what is within every limit', async () => {
  expect(await imported(await archiveOf(small), {})).toHaveLength(3);
});

it('skips a file that is too large and imports the others', async () => {
  const found = await imported(await archiveOf(small), { fileBytesMax: 50 });
  expect(found).toEqual(['/github/repos/ann/notes/contents/c', 'a too-large', 'b too-large']);
});

it.each([
  ['unpacks to too much', { unpackedBytesMax: 1_000 }],
  ['has too many entries', { entriesMax: 2 }],
  ['holds too much to import', { importedBytesMax: 150 }],
])('writes nothing of an archive that %s', async (_, limits) => {
  const refused = imported(await archiveOf(small), limits);
  await expect(refused).rejects.toThrow(TarballRefusedError);
  await expect(refused).rejects.toMatchObject({ code: 'payload_too_large' });
});
