// The preview of a replay while its payload is edited, and the part of an edit that applies to other dead letters.
import { useQuery } from '@tanstack/react-query';
import type { DeadLetter } from '../../../sdk/index.ts';
import { useServices } from '../../api/services.ts';
import type { PayloadReading } from '../../model/inbound/payload-text.ts';
import { mergeDifference } from '../../model/text/merge-difference.ts';
import { deadLettersKey } from './queries.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface SameEdit {
  readonly patch: Fields | null;
  /** Why the edit cannot be applied to the others; null: it can. */
  readonly disabledReason: string | null;
}

export function useReplayPreview(
  workspaceId: string,
  envelopeId: string,
  isDead: boolean,
  editedText: string | null,
  /** Of that text; null: it is not edited. */
  reading: PayloadReading | null,
  overwriteNewer: boolean,
) {
  const { client } = useServices();
  return useQuery({
    queryKey: [...deadLettersKey(workspaceId), 'check', envelopeId, editedText, overwriteNewer],
    queryFn: async ({ signal }) =>
      await client.sync.deadLetters.preview(
        workspaceId,
        envelopeId,
        {
          ...(reading?.ok ? { payload: reading.payload } : {}),
          ...(overwriteNewer ? { overwriteNewer } : {}),
        },
        { signal },
      ),
    enabled: isDead && (reading === null || reading.ok),
    gcTime: 0,
  });
}

/** null: no others are selected, or the payload is not retained. */
export function sameEditOf(
  envelopeId: string,
  selected: readonly DeadLetter[],
  base: Fields | null,
  edited: Fields | null,
): SameEdit | null {
  if (base === null || selected.length < 2) return null;
  if (!selected.some((each) => each.envelopeId === envelopeId)) return null;
  if (edited === null) return { patch: null, disabledReason: 'The payload is not a JSON object.' };
  const patch = mergeDifference(base, edited);
  if (patch === null) return { patch, disabledReason: 'An edit that sets null cannot be applied to others.' };
  if (Object.keys(patch).length === 0) return { patch: null, disabledReason: 'No changes' };
  if (Object.hasOwn(patch, 'path')) {
    return { patch: null, disabledReason: 'All selected events would write to the same path.' };
  }
  return { patch, disabledReason: null };
}
