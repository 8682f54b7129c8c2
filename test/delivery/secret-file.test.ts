import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openSecrets } from '../../server/delivery/secret-file.ts';
import { createSecretBox, masterKeyBytes } from '../../server/platform/crypto/secret-box.ts';
import { tempFolder } from '../support/temp-folder.ts';

const box = createSecretBox(randomBytes(masterKeyBytes), 'tests');
const newFile = () => path.join(tempFolder('mooring-secrets'), 'provider-secrets.json');

it('without a key the file holds them as they are', async () => {
  const file = newFile();
  await openSecrets(file, null).set('ws', 'github', 'whsec_one');
  expect(readFileSync(file, 'utf8')).toContain('whsec_one');
  expect(openSecrets(file, null).get('ws', 'github')).toBe('whsec_one');
});

it('one that the disk does not take does not hold, and the one before goes on', async () => {
  const file = newFile();
  const secrets = openSecrets(file, null);
  await secrets.set('ws', 'github', 'whsec_one');
  const folder = path.dirname(file);
  renameSync(folder, `${folder}-away`);
  await expect(secrets.set('ws', 'github', 'whsec_two')).rejects.toThrow('ENOENT');
  await expect(secrets.remove('ws', 'github')).rejects.toThrow('ENOENT');
  renameSync(`${folder}-away`, folder);
  expect([secrets, openSecrets(file, null)].map((one) => one.get('ws', 'github'))).toEqual([
    'whsec_one',
    'whsec_one',
  ]);
});

it('with a key the file is sealed, and one that was not is sealed when it is opened', async () => {
  const file = newFile();
  await openSecrets(file, null).set('ws', 'github', 'whsec_one');
  const secrets = openSecrets(file, box);
  expect(readFileSync(file, 'utf8')).not.toContain('whsec_');
  await secrets.set('ws', 'linear', 'whsec_two');
  expect(readFileSync(file, 'utf8')).not.toContain('whsec_');
  const again = openSecrets(file, box);
  expect([again.get('ws', 'github'), again.get('ws', 'linear')]).toEqual(['whsec_one', 'whsec_two']);
});

it('a sealed file without its key is refused as a whole, with what to do', async () => {
  const file = newFile();
  await openSecrets(file, box).set('ws', 'github', 'whsec_one');
  const before = readFileSync(file, 'utf8');
  expect(() => openSecrets(file, null)).toThrow(/which only the desktop app can reach/);
  const other = createSecretBox(randomBytes(masterKeyBytes), 'tests');
  expect(() => openSecrets(file, other)).toThrow(/not in this system's keychain any more/);
  expect(readFileSync(file, 'utf8')).toBe(before);
});
