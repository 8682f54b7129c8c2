// Why a file is as it is in one mirror, in words. Pure.
import type { Explanation } from '../../../sdk/index.ts';
import { size } from '../format.ts';
import type { StatusView } from './mirror-view.ts';

export type ExplainedMirror = Explanation['mirrors'][number];

const views: Readonly<Record<ExplainedMirror['state'], StatusView>> = {
  same: { kind: 'ok', word: 'Same' },
  on_its_way: { kind: 'active', word: 'Receiving' },
  settling: { kind: 'active', word: 'Sending' },
  waiting: { kind: 'warn', word: 'Refused' },
  conflict: { kind: 'warn', word: 'Conflict' },
  kept: { kind: 'paused', word: 'Kept' },
  ignored: { kind: 'paused', word: 'Ignored' },
  not_mirrored: { kind: 'warn', word: 'Refused' },
  absent: { kind: 'paused', word: 'Not there' },
  unknown: { kind: 'offline', word: 'Not known' },
};

/** In the words of the list of files. */
export function explainedStatus({
  state,
  rule,
  mode,
}: Pick<ExplainedMirror, 'state' | 'rule' | 'mode'>): StatusView {
  const goesUp = state === 'on_its_way' && mode !== 'to-folder' && rule?.startsWith('folder_') === true;
  return goesUp ? views.settling : views[state];
}

export interface ObservedVersion {
  readonly where: 'Folder' | 'Workspace' | 'Both had';
  /** `rev_4 · 1.2 KB`; null: nothing stands there. */
  readonly what: string | null;
  readonly contentHash: string | null;
}

/** What stands on each side, and what both last agreed on. */
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
    { where: 'Both had', what: base?.revision ?? null, contentHash: base?.contentHash ?? null },
  ];
}
