// Resolves a path of a workspace to its local path and decides whether it may be opened. The page names workspaces, never local
// paths, so a request cannot leave a mirrored folder, and no program is started.
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { MirroredPath, PathActionResult } from './ipc-contract.ts';

export type ResolvedPath =
  | { readonly ok: true; readonly file: string; readonly isProgram: boolean }
  | Extract<PathActionResult, { ok: false }>;

export interface MirroredFolder {
  readonly workspaceId: string;
  readonly dir: string;
}

/** File types that a system executes or installs when they are opened. Other machines may write these files. */
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

/** `folders`: the mirrored folders, or that of the run. */
export async function resolveMirroredPath(
  { workspaceId, path: workspacePath }: MirroredPath,
  folders: readonly MirroredFolder[],
  platform: NodeJS.Platform,
): Promise<ResolvedPath> {
  const folder = folders.find((each) => each.workspaceId === workspaceId);
  if (folder === undefined)
    return refuse('This workspace has no mirror on this computer.', 'Add a mirror in Settings.');
  const segments = segmentsOf(workspacePath, platform);
  if (segments === null) return refuse('The path is not valid on this system.', 'View the file in Mooring.');
  const file = path.join(folder.dir, ...segments);
  try {
    // No symbolic link may leave the folder, and the target itself must not be one.
    const root = await realpath(folder.dir);
    const real = await realpath(file);
    const inside = real === root || real.startsWith(`${root}${path.sep}`);
    const info = await lstat(file);
    if (!inside || info.isSymbolicLink()) {
      return refuse('A symbolic link leaves the mirrored folder.', 'Open it in a terminal.');
    }
    const isExecutable = info.isFile() && platform !== 'win32' && (info.mode & 0o111) !== 0;
    return { ok: true, file: real, isProgram: isExecutable || hasProgramName(file) };
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return missing
      ? refuse('The file is not in the folder.', 'It may not be downloaded yet; see Overview.')
      : refuse('Mooring has no permission to read the file.', 'Open it in a terminal.');
  }
}

/** null: a path that could name another file on this platform. */
function segmentsOf(workspacePath: string, platform: NodeJS.Platform): readonly string[] | null {
  if (!workspacePath.startsWith('/') || workspacePath.includes('\0')) return null;
  const segments = workspacePath.split('/').filter((segment) => segment !== '');
  const isAmbiguous = segments.some(
    (segment) => segment === '.' || segment === '..' || (platform === 'win32' && /[\\:*?"<>|]/.test(segment)),
  );
  return isAmbiguous ? null : segments;
}

function hasProgramName(file: string): boolean {
  // Windows ignores dots and spaces at the end.
  const name = path.basename(file).replace(/[. ]+$/, '');
  return programExtensions.has(path.extname(name).slice(1).toLowerCase());
}

function refuse(cause: string, next: string): Extract<PathActionResult, { ok: false }> {
  return { ok: false, cause, next };
}
