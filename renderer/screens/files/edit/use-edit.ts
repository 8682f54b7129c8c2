// Editing one file: what was typed, what stands there by now, and bringing the two together. Nothing is written over a revision
// that was not seen: every save names the one that it goes out from.
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { NoAnswerError, NotFoundError, RevisionConflictError } from '../../../../sdk/index.ts';
import type { FileRecord } from '../../../../server/contract/files.ts';
import { useObservable } from '../../../api/observable.ts';
import { describeError, useDisabledReason, useServices } from '../../../api/services.ts';
import { editKey, setUnsavedEdit, type UnsavedEdit, unsavedEdits } from '../../../api/unsaved-edits.ts';
import { whyNotEdited } from '../../../model/files/edit-view.ts';
import { forField, fromField } from '../../../model/files/line-ends.ts';
import { announce } from '../../../parts/feedback/announcer.tsx';

export interface Edit {
  /** The field is shown. */
  readonly open: boolean;
  /** What was typed and is not saved; null: nothing. */
  readonly draft: UnsavedEdit | null;
  /** What the field shows. */
  readonly text: string;
  /** Others changed the file since: as it is now, or null when it was deleted. undefined: nobody did. */
  readonly theirs: FileRecord | null | undefined;
  /** The two are being brought together. */
  readonly choosing: boolean;
  readonly saving: boolean;
  readonly failure: string | null;
  /** The revision that the last save made. */
  readonly saved: string | null;
  /** Why it cannot be edited; null: it can. */
  readonly disabledReason: string | null;
  begin(): void;
  type(text: string): void;
  /** true: it is saved. */
  save(): Promise<boolean>;
  /** Writes a text over what stands there now, which was seen. */
  saveOver(text: string): Promise<boolean>;
  /** Goes on with a text that goes out from what stands there now. */
  editOver(text: string): void;
  choose(on: boolean): void;
  /** Ends; what was typed is thrown away. */
  stop(): void;
}

/** What every part of the editor gets. */
export interface EditorProps {
  readonly workspaceId: string;
  readonly path: string;
  readonly edit: Edit;
  /** What saving brings along. */
  readonly notes: readonly string[];
  /** Ends editing, or asks first. */
  readonly onStop: () => void;
}

interface EditedFile {
  readonly workspaceId: string;
  readonly path: string;
  readonly file: FileRecord | undefined;
  /** It was deleted; `file` is what was read last. */
  readonly gone: boolean;
}

export function useEdit({ workspaceId, path, file, gone }: EditedFile): Edit {
  const offline = useDisabledReason();
  const key = editKey(workspaceId, path);
  const draft = useObservable(unsavedEdits).get(key) ?? null;
  const [open, setOpen] = useState(draft !== null);
  const { saving, failure, saved, forget, choosing, setChoosing, write } = useSaving(workspaceId, path);
  const base = draft?.base ?? file;
  const same = file?.revision === draft?.base.revision;
  const now = draft === null ? undefined : gone ? null : same ? undefined : file;
  // What the save itself changes is nobody else's change.
  const seen = useRef(now);
  if (!saving) seen.current = now;
  const theirs = saving ? seen.current : now;
  return {
    open,
    draft,
    text: draft?.text ?? (file === undefined ? '' : forField(file.content)),
    theirs,
    choosing: choosing && theirs !== undefined,
    saving,
    failure,
    saved,
    disabledReason:
      offline ??
      (file === undefined
        ? 'The file is not read yet.'
        : gone && draft === null
          ? 'The file was deleted.'
          : whyNotEdited(file)),
    begin: () => {
      forget();
      setOpen(true);
    },
    type: (text) => {
      if (base === undefined || saving) return;
      forget();
      setUnsavedEdit(key, text === forField(base.content) ? null : { base, text });
    },
    save: async () => {
      if (draft === null) return true;
      if (theirs === undefined) return await write(draft.base, draft.text, draft.base);
      setChoosing(true);
      return false;
    },
    saveOver: async (text) =>
      draft === null || theirs === undefined ? false : await write(draft.base, text, theirs),
    editOver: (text) => {
      if (theirs == null) return;
      setUnsavedEdit(key, text === forField(theirs.content) ? null : { base: theirs, text });
      setChoosing(false);
    },
    choose: setChoosing,
    stop: () => {
      setUnsavedEdit(key, null);
      setChoosing(false);
      forget();
      setOpen(false);
    },
  };
}

interface Saving {
  readonly saving: boolean;
  readonly failure: string | null;
  readonly saved: string | null;
  readonly choosing: boolean;
  readonly setChoosing: (on: boolean) => void;
  /** What the last save came to is not shown any more. */
  readonly forget: () => void;
  /** `over`: what was seen and may be replaced; null: there must be no file. true: it is saved. */
  readonly write: (base: FileRecord, text: string, over: FileRecord | null) => Promise<boolean>;
}

function useSaving(workspaceId: string, path: string): Saving {
  const { client } = useServices();
  const queries = useQueryClient();
  const [choosing, setChoosing] = useState(false);
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [saved, setSaved] = useState<string | null>(null);
  const queryKey = ['file', workspaceId, path];
  const settle = (record: FileRecord): void => {
    queries.setQueryData(queryKey, record);
    setUnsavedEdit(editKey(workspaceId, path), null);
    setChoosing(false);
    setSaved(record.revision);
    announce(`Saved as ${record.revision}.`);
  };
  const write: Saving['write'] = async (base, text, over) => {
    const content = fromField((over ?? base).content, text);
    setSaving(true);
    setFailure(null);
    try {
      const { targetRevision } = await client.writeFile(workspaceId, path, content, {
        ifMatch: over?.revision ?? '0',
        contentType: base.contentType,
      });
      settle({ ...base, content, revision: targetRevision });
      // Hash and time come from the agent.
      void queries.invalidateQueries({ queryKey });
      return true;
    } catch (error) {
      if (!(error instanceof RevisionConflictError || error instanceof NotFoundError)) {
        setFailure(refusal(error));
        return false;
      }
      await queries.invalidateQueries({ queryKey });
      const now = queries.getQueryData<FileRecord>(queryKey);
      // An earlier answer got lost on its way: the same text stands there already.
      if (now?.content === content && now.revision !== over?.revision) {
        settle(now);
        return true;
      }
      setChoosing(true);
      announce('The file changed meanwhile. Nothing was saved; both versions are shown.');
      return false;
    } finally {
      setSaving(false);
    }
  };
  const forget = (): void => {
    setSaved(null);
    setFailure(null);
  };
  return { saving, failure, saved, choosing, setChoosing, forget, write };
}

/** Why nothing was saved, and what is safe. */
function refusal(error: unknown): string {
  if (error instanceof NoAnswerError)
    return 'The agent did not answer: it is not known whether it was saved. Your text stays here; saving again never goes over a newer version.';
  return `Nothing was saved. ${describeError(error)} Your text stays here.`;
}
