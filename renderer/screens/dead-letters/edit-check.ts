// What an edit would do: asked of the agent while it is typed; and what of it can be given to other letters.
import { useQuery } from '@tanstack/react-query';
import type { DeadLetter } from '../../../sdk/index.ts';
import { useServices } from '../../api/services.ts';
import { readPayload } from '../../model/inbound/dead-letter-view.ts';
import { mergeDifference } from '../../model/text/merge-difference.ts';
import { deadLettersKey } from './queries.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface SameEdit {
  readonly patch: Fields | null;
  /** Why it cannot be given; null: it can. */
  readonly disabledReason: string | null;
}

export function useCheck(
  workspaceId: string,
  envelopeId: string,
  isDead: boolean,
  draft: string | null,
  overwriteNewer: boolean,
) {
  const { client } = useServices();
  const read = draft === null ? null : readPayload(draft);
  return useQuery({
    queryKey: [...deadLettersKey(workspaceId), 'check', envelopeId, draft, overwriteNewer],
    queryFn: async ({ signal }) =>
      await client.sync.deadLetters.preview(
        workspaceId,
        envelopeId,
        { ...(read?.ok ? { payload: read.payload } : {}), ...(overwriteNewer ? { overwriteNewer } : {}) },
        { signal },
      ),
    enabled: isDead && (read === null || read.ok),
    gcTime: 0,
  });
}

/** null: there is nothing to give to others. */
export function sameEditOf(
  envelopeId: string,
  selected: readonly DeadLetter[],
  base: Fields | null,
  edited: Fields | null,
): SameEdit | null {
  if (base === null || selected.length < 2) return null;
  if (!selected.some((letter) => letter.envelopeId === envelopeId)) return null;
  if (edited === null) return { patch: null, disabledReason: 'The payload is no JSON object.' };
  const patch = mergeDifference(base, edited);
  if (patch === null) return { patch, disabledReason: 'An edit that sets null cannot be given to others.' };
  if (Object.keys(patch).length === 0) return { patch: null, disabledReason: 'Nothing is edited.' };
  if (Object.hasOwn(patch, 'path')) {
    return { patch: null, disabledReason: 'All of them would get this one path, and overwrite each other.' };
  }
  return { patch, disabledReason: null };
}
