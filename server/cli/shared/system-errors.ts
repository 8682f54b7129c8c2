// Words for errors of the operating system: `EACCES` says little to a person.
import { failure } from './failure.ts';

const meanings: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'the system does not permit it',
  ENOENT: 'the file or its folder does not exist',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  EEXIST: 'it exists already',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its symbolic links form a loop',
  EMFILE: 'too many files are open',
  EIO: 'the disk reports an error',
};

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'Run the command as the user who owns it, or pass another --data-dir.',
  EPERM: 'Run the command as the user who owns it, or pass another --data-dir.',
  ENOSPC: 'Free space on the disk and repeat the command.',
};

export function systemErrorRemedy(error: NodeJS.ErrnoException): string {
  return remedies[error.code ?? ''] ?? 'Correct the cause and repeat the command.';
}

/** `permission denied`; an unknown error is its own message. */
export function systemErrorText(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return meanings[code] ?? (error instanceof Error ? error.message : String(error));
}

/** Runs `action`, and reports an error of the system with the file that the command names. */
export function readingFile<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw failure(`Cannot read ${file}: ${systemErrorText(error)}.`, 'Check the path and its permissions.');
  }
}

/** The same for a file that the command writes. */
export function writingFile<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

export function cannotWrite(file: string, error: unknown) {
  return failure(
    `Cannot write ${file}: ${systemErrorText(error)}.`,
    'Choose another file, or correct the cause.',
  );
}
