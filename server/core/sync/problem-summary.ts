// Summarizes many problems of one kind in one sentence: how many, and where most of them are. Pure.
import { count as formatCount, plural } from '../amounts.ts';
import type { DirectoryCount } from './directory-counts.ts';

interface Words {
  readonly one: string;
  readonly many: string;
}

const words: Readonly<Record<string, Words>> = {
  busy: { one: 'file keeps changing', many: 'files keep changing' },
  collision: {
    one: 'name is the same as another one on this disk',
    many: 'names are the same as others on this disk',
  },
  conflict: { one: 'conflict is not resolved', many: 'conflicts are not resolved' },
  content_missing: { one: 'content is missing', many: 'contents are missing' },
  ignore_rules: {
    one: 'ignore file is over a limit and not applied',
    many: 'ignore files are over a limit and not applied',
  },
  ignored: { one: 'file of the workspace is ignored', many: 'files of the workspace are ignored' },
  kept_here: { one: 'file is local only', many: 'files are local only' },
  name: { one: 'name cannot be synced', many: 'names cannot be synced' },
  not_durable: { one: 'file is not durable on the disk', many: 'files are not durable on the disk' },
  not_equal: { one: 'file differs for an unknown reason', many: 'files differ for an unknown reason' },
  other_disk: { one: 'mounted disk is not synced', many: 'mounted disks are not synced' },
  refused: { one: 'change is refused by the workspace', many: 'changes are refused by the workspace' },
  special_file: {
    one: 'device, socket or pipe is not synced',
    many: 'devices, sockets and pipes are not synced',
  },
  store_failed: { one: 'file cannot be stored', many: 'files cannot be stored' },
  symlink: { one: 'symbolic link is not synced', many: 'symbolic links are not synced' },
  too_large: { one: 'file is too large to be synced', many: 'files are too large to be synced' },
  unreadable: { one: 'file cannot be read', many: 'files cannot be read' },
  write_failed: { one: 'file cannot be written', many: 'files cannot be written' },
};

/** Kinds that need no action: they are listed last. */
const expected: ReadonlySet<string> = new Set([
  'ignored',
  'kept_here',
  'special_file',
  'symlink',
  'too_large',
]);

export function isExpectedProblem(kind: string): boolean {
  return expected.has(kind);
}

/** `3,936 symbolic links are not synced; largest: share/zoneinfo (1,790)` */
export function problemSummary(kind: string, count: number, directories: readonly DirectoryCount[]): string {
  const { one, many } = words[kind] ?? {
    one: `problem of the cause ${kind}`,
    many: `problems of the cause ${kind}`,
  };
  const told = plural(count, one, many);
  const [largest] = directories;
  return largest === undefined ? told : `${told}; largest: ${directoryText(largest)}`;
}

/** `share/zoneinfo (1,790)` */
function directoryText({ path, count }: DirectoryCount): string {
  return `${path === '/' ? path : path.slice(1)} (${formatCount(count)})`;
}
