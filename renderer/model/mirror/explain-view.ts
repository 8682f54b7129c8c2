// The sync status of a file in one mirror, as texts. Pure.
import type { Explanation } from '../../../sdk/index.ts';
import { size } from '../format.ts';
import type { StatusView } from './mirror-view.ts';

export type ExplainedMirror = Explanation['mirrors'][number];

const views: Readonly<Record<ExplainedMirror['state'], StatusView>> = {
  same: { kind: 'ok', word: 'Up to date' },
  on_its_way: { kind: 'active', word: 'Downloading' },
  settling: { kind: 'active', word: 'Waiting for writes to finish' },
  waiting: { kind: 'warn', word: 'Not synced' },
  conflict: { kind: 'warn', word: 'Conflict' },
  kept: { kind: 'paused', word: 'Local only' },
  ignored: { kind: 'paused', word: 'Ignored' },
  not_mirrored: { kind: 'warn', word: 'Not synced' },
  absent: { kind: 'paused', word: 'Missing' },
  unknown: { kind: 'offline', word: 'Unknown' },
};

/** The agent does not report the direction of a transfer: it follows from rule and mode. */
export function explainedStatus({
  state,
  rule,
  mode,
}: Pick<ExplainedMirror, 'state' | 'rule' | 'mode'>): StatusView {
  const isUpload = state === 'on_its_way' && mode !== 'to-folder' && rule?.startsWith('folder_') === true;
  return isUpload ? { kind: 'active', word: 'Uploading' } : views[state];
}

export interface ObservedVersion {
  readonly where: 'Folder' | 'Workspace' | 'Last synced';
  /** `rev_4 · 1.2 KB`; null: no file. */
  readonly what: string | null;
  readonly contentHash: string | null;
}

/** Both sides and the base. */
export function observedRows({
  folder,
  workspace,
  base,
}: ExplainedMirror['observed']): readonly ObservedVersion[] {
  return [
    {
      where: 'Folder',
      what:
        folder === null
          ? null
          : [folder.kind, ...(folder.size === undefined ? [] : [size(folder.size)])].join(' · '),
      contentHash: folder?.contentHash ?? null,
    },
    {
      where: 'Workspace',
      what: workspace === null ? null : `${workspace.revision} · ${size(workspace.size)}`,
      contentHash: workspace?.contentHash ?? null,
    },
    { where: 'Last synced', what: base?.revision ?? null, contentHash: base?.contentHash ?? null },
  ];
}
