// Folders of other sync programs: by what they leave in them, by their settings and by their usual places.
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CloudMachine, cloudFactsOf, cloudRoots } from '../../../server/disk/root/cloud-facts.ts';
import {
  type CloudFacts,
  cloudFolderText,
  findCloudFolder,
  serviceOf,
} from '../../../server/disk/root/cloud-folders.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const oneDriveMarker = '.849C9593-D756-4E56-8D6E-42412F2A707B';

it.each<[string, boolean, string | null]>([
  [oneDriveMarker, false, 'OneDrive'],
  ['.dropbox', false, 'Dropbox'],
  ['.dropbox', true, null],
  ['.dropbox.cache', true, 'Dropbox'],
  ['.tmp.driveupload', true, 'Google Drive'],
  ['.stfolder', true, 'Syncthing'],
  ['.stignore', false, 'Syncthing'],
  ['.sync_8bc3ac6e2d0f.db', false, 'Nextcloud'],
  ['._sync_8bc3ac6e2d0f.db', false, 'Nextcloud'],
  ['.owncloudsync.log', false, 'Nextcloud'],
  ['.sync_notes.db.bak', false, null],
  ['my.stfolder', true, null],
  ['.git', true, null],
])('%s (a directory: %s) is of %s', (name, isDirectory, service) => {
  expect(
    serviceOf([
      { name: 'a.txt', isDirectory: false },
      { name, isDirectory },
    ]),
  ).toBe(service);
});

describe('a folder', () => {
  const linux: CloudFacts = {
    platform: 'linux',
    roots: [
      { service: 'Dropbox', path: '/home/ann/Dropbox' },
      { service: 'Syncthing', path: '/home/ann/Dropbox/shared' },
    ],
    marked: [],
  };
  it.each<[string, string | null]>([
    ['/home/ann/Dropbox', 'Dropbox inside'],
    ['/home/ann/Dropbox/a/b', 'Dropbox inside'],
    ['/home/ann/Dropbox/shared/x', 'Syncthing inside'],
    ['/home/ann', 'Dropbox contains'],
    ['/home/ann/Dropbox2', null],
    ['/home/ann/dropbox/a', null],
    ['/home/ann/notes', null],
  ])('%s of Linux: %s', (dir, found) => {
    const folder = findCloudFolder(dir, linux);
    expect(folder && `${folder.service} ${folder.relation}`).toBe(found);
  });

  it('of Windows and macOS is found in another case', () => {
    const windows: CloudFacts = {
      platform: 'win32',
      roots: [{ service: 'OneDrive', path: 'C:\\Users\\ann\\OneDrive - Work' }],
      marked: [],
    };
    expect(findCloudFolder('c:\\users\\ANN\\onedrive - work\\a', windows)?.relation).toBe('inside');
    expect(findCloudFolder('D:\\Users\\ann\\OneDrive - Work\\a', windows)).toBeNull();
    const macOs: CloudFacts = {
      platform: 'darwin',
      roots: [],
      marked: [{ service: 'iCloud Drive', path: '/Users/ann/Library/Mobile Documents' }],
    };
    expect(findCloudFolder('/users/ann/library/mobile documents/x', macOs)?.service).toBe('iCloud Drive');
  });

  it('is told of with the reason and what to do', () => {
    const text = cloudFolderText('/d/notes', { service: 'OneDrive', path: '/d', relation: 'inside' });
    expect(text).toContain('/d/notes is inside the OneDrive folder /d. Two sync programs');
    expect(text).toContain('Choose a folder outside it, or exclude it in OneDrive.');
  });
});

/** A home with settings of every program, and folders where they say. */
function furnished(platform: NodeJS.Platform): { readonly machine: CloudMachine; readonly home: string } {
  const home = realpathSync(tempFolder('mooring-home'));
  const make = (...names: readonly string[]) => {
    mkdirSync(path.join(home, ...names), { recursive: true });
    return path.join(home, ...names);
  };
  const write = (names: readonly string[], text: string) => {
    make(...names.slice(0, -1));
    writeFileSync(path.join(home, ...names), text);
  };
  for (const name of ['work/One', 'box/Dropbox', 'nc', 'st & more', 'Google Drive', 'OneDrive - Work'])
    make(name);
  const info = { personal: { path: path.join(home, 'box/Dropbox') }, business: { path: '/not/there' } };
  write(['.dropbox', 'info.json'], JSON.stringify(info));
  write(['.config', 'Nextcloud', 'nextcloud.cfg'], `[Accounts]\n0\\Folders\\1\\localPath=${home}/nc/\n`);
  const template = '<defaults><folder id="" path="~"></folder></defaults>';
  const folder = '<folder id="a" label="x" path="~/st &amp; more" type="sendreceive"></folder>';
  write(['.config', 'syncthing', 'config.xml'], `<configuration>${folder}${template}</configuration>`);
  make('Library', 'CloudStorage', 'GoogleDrive-me@example.com');
  make('Library', 'Mobile Documents');
  const env = {
    OneDrive: path.join(home, 'work/One'),
    OneDriveConsumer: '',
    OneDriveCommercial: '/not/there',
  };
  return { machine: { platform, home, env }, home };
}

it('reads where the programs keep their folders, and takes neither a template nor what is not there', () => {
  const { machine, home } = furnished('linux');
  const found = cloudRoots(machine).map(({ service, path: at }) => `${service}: ${path.relative(home, at)}`);
  expect(found.sort()).toEqual([
    'Dropbox: box/Dropbox',
    'Google Drive: Google Drive',
    'Nextcloud: nc',
    'OneDrive: OneDrive - Work',
    'OneDrive: work/One',
    'Syncthing: st & more',
  ]);
});

it('knows the places of macOS', () => {
  const { machine, home } = furnished('darwin');
  const found = cloudRoots(machine).map(({ service, path: at }) => `${service}: ${path.relative(home, at)}`);
  expect(found).toContain('iCloud Drive: Library/Mobile Documents');
  expect(found).toContain('Google Drive: Library/CloudStorage/GoogleDrive-me@example.com');
});

it('finds markers above a folder that is not there yet, and in directories below one, and stops at damaged settings', async () => {
  const home = realpathSync(tempFolder('mooring-home'));
  const machine: CloudMachine = { platform: 'linux', home, env: {} };
  mkdirSync(path.join(home, '.dropbox'));
  writeFileSync(path.join(home, '.dropbox', 'info.json'), '{"personal": ');
  mkdirSync(path.join(home, 'share', '.stfolder'), { recursive: true });
  mkdirSync(path.join(home, 'all', 'deep', 'team'), { recursive: true });
  writeFileSync(path.join(home, 'all', 'deep', 'team', oneDriveMarker), '');
  symlinkSync(path.join(home, 'share'), path.join(home, 'all', 'link'));
  const findIn = async (name: string) => {
    const dir = path.join(home, name);
    return findCloudFolder(dir, await cloudFactsOf(dir, machine));
  };
  expect(await findIn('share/new/deeper')).toEqual({
    service: 'Syncthing',
    path: path.join(home, 'share'),
    relation: 'inside',
  });
  expect(await findIn('all')).toEqual({
    service: 'OneDrive',
    path: path.join(home, 'all', 'deep', 'team'),
    relation: 'contains',
  });
  expect(await findIn('elsewhere')).toBeNull();
});
