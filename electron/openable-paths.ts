// From a file of a workspace to its path on this disk, and whether it may be opened. The page names workspaces, never
// paths of the disk, so whatever it is made to ask for stays inside of a mirrored folder, and no program is started.
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { MirroredPlace, PlaceAnswer } from './ipc-contract.ts';

export type FoundPlace =
  | { readonly ok: true; readonly file: string; readonly isProgram: boolean }
  | Extract<PlaceAnswer, { ok: false }>;

interface MirroredFolder {
  readonly workspaceId: string;
  readonly dir: string;
}

/** Kinds of files that a system runs, installs or takes orders from when they are opened. Other machines may write here. */
const programExtensions = new Set(
  [
    'app applescript appimage application appref-ms bash bat bin cmd com command cpl csh deb desktop diagcab dmg exe',
    'fish flatpakref gadget hta inf ins iso jar jnlp js jse ksh lnk mobileconfig mpkg msc msi msix msp mst osascript out',
    'pif pkg pl prefpane ps1 psm1 py pyc pyw pyz rb reg rpm run scf scpt scptd scr sct settingcontent-ms sh shb snap',
    'sys terminal tool url vb vbe vbs webloc website workflow ws wsc wsf wsh xbap zsh action fileloc inetloc',
  ]
    .join(' ')
    .split(' '),
);

/** Looks where the place is. `folders`: those that are mirrored now. */
export async function findPlace(
  { workspaceId, path: workspacePath }: MirroredPlace,
  folders: readonly MirroredFolder[],
  platform: NodeJS.Platform,
): Promise<FoundPlace> {
  const folder = folders.find((one) => one.workspaceId === workspaceId);
  if (folder === undefined)
    return refuse('This workspace is not mirrored here.', 'Add a mirror in Settings.');
  const segments = segmentsOf(workspacePath, platform);
  if (segments === null) return refuse('This is no path that a folder can hold.', 'Look at it here instead.');
  const file = path.join(folder.dir, ...segments);
  try {
    // No link on the way leads out of the folder, and what is at the end is the thing itself.
    const root = await realpath(folder.dir);
    const real = await realpath(file);
    const inside = real === root || real.startsWith(`${root}${path.sep}`);
    const info = await lstat(file);
    if (!inside || info.isSymbolicLink()) {
      return refuse('A link leads out of the mirrored folder.', 'Look at it in a terminal.');
    }
    const runs = info.isFile() && platform !== 'win32' && (info.mode & 0o111) !== 0;
    return { ok: true, file: real, isProgram: runs || hasProgramName(file) };
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return missing
      ? refuse('It is not in the folder.', 'It may still be on its way; the Overview shows what moves.')
      : refuse('The system does not let Mooring look at it.', 'Look at it in a terminal.');
  }
}

/** null: a path that could mean another place on this platform. */
function segmentsOf(workspacePath: string, platform: NodeJS.Platform): readonly string[] | null {
  if (!workspacePath.startsWith('/') || workspacePath.includes('\0')) return null;
  const segments = workspacePath.split('/').filter((segment) => segment !== '');
  const strange = segments.some(
    (segment) => segment === '.' || segment === '..' || (platform === 'win32' && /[\\:*?"<>|]/.test(segment)),
  );
  return strange ? null : segments;
}

function hasProgramName(file: string): boolean {
  // Windows does not see dots and spaces at the end.
  const name = path.basename(file).replace(/[. ]+$/, '');
  return programExtensions.has(path.extname(name).slice(1).toLowerCase());
}

function refuse(cause: string, next: string): Extract<PlaceAnswer, { ok: false }> {
  return { ok: false, cause, next };
}
