// Edits and replays one dead letter: the payload as typed, its check by the agent, and the replay.
import { useMemo, useState } from 'react';
import type { DeadLetterDetail, DeadLetterPreview } from '../../../sdk/index.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { type PayloadReading, PayloadText } from '../../model/inbound/payload-text.ts';
import { announce } from '../../parts/feedback/answers.ts';
import { useDebounced } from '../../parts/fields/use-debounced.ts';
import { useReplayPreview } from './edit-check.ts';

export interface Replay {
  /** The payload that an edit begins with; null: it is no longer retained. */
  readonly payloadText: PayloadText | null;
  /** The edited payload as JSON text; null: not edited. */
  readonly editedText: string | null;
  /** The edited payload, or why it is not valid; null: not edited. */
  readonly reading: PayloadReading | null;
  /** The field is open. */
  readonly isEditing: boolean;
  readonly overwriteNewer: boolean;
  readonly isChecking: boolean;
  readonly preview: DeadLetterPreview | undefined;
  readonly previewError: string | null;
  /** Error of the last replay. */
  readonly failure: string | null;
  /** Why no replay can start; null: it can. */
  readonly disabledReason: string | null;
  readonly edit: () => void;
  readonly setEditedText: (text: string | null) => void;
  /** Closes the field and keeps the text. */
  readonly closeField: () => void;
  readonly setOverwriteNewer: (overwriteNewer: boolean) => void;
  readonly replay: () => void;
}

/** The original payload needs no debouncing. */
const isNull = (text: string | null): boolean => text === null;

export function useReplay(workspaceId: string, deadLetter: DeadLetterDetail, onChanged: () => void): Replay {
  const { client } = useServices();
  const offline = useDisabledReason();
  const [editedText, setEditedText] = useState<string | null>(null);
  const [isEditing, setEditing] = useState(false);
  const [overwriteNewer, setOverwriteNewer] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { envelopeId } = deadLetter;
  const isDead = deadLetter.state === 'dead_letter';
  const payload = deadLetter.editedPayload ?? deadLetter.payload;
  const payloadText = useMemo(() => (payload === undefined ? null : new PayloadText(payload)), [payload]);
  const readingOf = (text: string | null): PayloadReading | null =>
    text === null || payloadText === null ? null : payloadText.read(text);
  const reading = readingOf(editedText);
  const isInvalid = reading !== null && !reading.ok;
  const checkedText = useDebounced(editedText, isNull);
  const check = useReplayPreview(
    workspaceId,
    envelopeId,
    isDead,
    checkedText,
    readingOf(checkedText),
    overwriteNewer,
  );
  const disabledReason = offline ?? (isRunning ? 'Replaying…' : isInvalid ? reading.reason : null);

  const run = async (): Promise<void> => {
    if (disabledReason !== null || !isDead) return;
    setRunning(true);
    setFailure(null);
    try {
      await client.sync.deadLetters.replay(workspaceId, envelopeId, {
        ...(reading?.ok ? { payload: reading.payload } : {}),
        ...(overwriteNewer ? { overwriteNewer } : {}),
      });
      setEditedText(null);
      setEditing(false);
      announce('Replaying the dead letter.');
      onChanged();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setRunning(false);
    }
  };
  return {
    payloadText,
    editedText,
    reading,
    isEditing,
    overwriteNewer,
    isChecking: check.isFetching || checkedText !== editedText,
    preview: isInvalid ? undefined : check.data,
    previewError: check.isError ? describeError(check.error) : null,
    failure,
    disabledReason,
    edit: () => {
      if (!isDead || payloadText === null) return;
      setEditedText((before) => before ?? payloadText.text);
      setEditing(true);
    },
    setEditedText: (text) => {
      setEditedText(text);
      if (text === null) setEditing(false);
    },
    closeField: () => setEditing(false),
    setOverwriteNewer,
    replay: () => void run(),
  };
}
