// Edits one file: the unsaved text, its save, and changes of others meanwhile. Never overwrites a revision that was not shown:
// every save names the revision that it replaces (docs/wire-contract.md#if-match).
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { NoAnswerError, NotFoundError, RevisionConflictError } from '../../../../sdk/index.ts';
import type { FileRecord } from '../../../../server/contract/files.ts';
import { useObservable } from '../../../api/observable.ts';
import { describeError, useServices } from '../../../api/services.ts';
import { editKey, setUnsavedEdit, type UnsavedEdit, unsavedEdits } from '../../../api/unsaved-edits.ts';
import { useRoleReason } from '../../../api/viewer.ts';
import { editDisabledReason } from '../../../model/files/edit-view.ts';
import { forField, fromField } from '../../../model/files/line-ends.ts';
import { announce, announceFailure } from '../../../parts/feedback/answers.ts';

export interface Edit {
  /** The editor is open. */
  readonly open: boolean;
  /** null: no unsaved changes. */
  readonly unsaved: UnsavedEdit | null;
  /** The text of the field. */
  readonly text: string;
  /** The current file if it changed meanwhile; null: it was deleted; undefined: it did not change. */
  readonly theirs: FileRecord | null | undefined;
  /** The choice between both versions is shown. */
  readonly choosing: boolean;
  readonly saving: boolean;
  readonly failure: string | null;
  /** The revision of the last save. */
  readonly saved: string | null;
  /** Why the file cannot be edited; null: it can. */
  readonly disabledReason: string | null;
  begin(): void;
  type(text: string): void;
  /** Answers whether the text is saved. */
  save(): Promise<boolean>;
  /** Replaces `theirs`, which was shown. */
  saveOver(text: string): Promise<boolean>;
  /** Continues editing with this text, based on `theirs`. */
  editOver(text: string): void;
  choose(on: boolean): void;
  /** Closes the editor and discards the unsaved text. */
  stop(): void;
}

/** Properties of every part of the editor. */
export interface EditorProps {
  readonly workspaceId: string;
  readonly path: string;
  readonly edit: Edit;
  /** Consequences of a save, shown below the field. */
  readonly notes: readonly string[];
  /** Closes the editor; prompts first if there are unsaved changes. */
  readonly onStop: () => void;
}

interface EditedFile {
  readonly workspaceId: string;
  readonly path: string;
  readonly file: FileRecord | undefined;
  /** The file was deleted; `file` is the last loaded revision. */
  readonly isDeleted: boolean;
}

export function useEdit({ workspaceId, path, file, isDeleted }: EditedFile): Edit {
  const offline = useRoleReason(workspaceId, 'editor');
  const key = editKey(workspaceId, path);
  const unsaved = useObservable(unsavedEdits).get(key) ?? null;
  const [open, setOpen] = useState(unsaved !== null);
  const { saving, failure, saved, clearResult, choosing, setChoosing, write } = useSaving(workspaceId, path);
  const base = unsaved?.base ?? file;
  const current = unsaved === null ? undefined : newerThan(unsaved, file, isDeleted);
  // The change made by the save itself is not a change of others.
  const beforeSave = useRef(current);
  if (!saving) beforeSave.current = current;
  const theirs = saving ? beforeSave.current : current;
  return {
    open,
    unsaved,
    text: unsaved?.text ?? (file === undefined ? '' : forField(file.content)),
    theirs,
    choosing: choosing && theirs !== undefined,
    saving,
    failure,
    saved,
    disabledReason:
      offline ??
      (file === undefined
        ? 'The file is loading.'
        : isDeleted && unsaved === null
          ? 'The file was deleted.'
          : editDisabledReason(file)),
    begin: () => {
      clearResult();
      setOpen(true);
    },
    type: (text) => {
      if (base === undefined || saving) return;
      clearResult();
      setUnsavedEdit(key, text === forField(base.content) ? null : { base, text });
    },
    save: async () => {
      if (unsaved === null) return true;
      if (theirs === undefined) return await write(unsaved.base, unsaved.text, unsaved.base);
      setChoosing(true);
      return false;
    },
    saveOver: async (text) =>
      unsaved === null || theirs === undefined ? false : await write(unsaved.base, text, theirs),
    editOver: (text) => {
      if (theirs == null) return;
      setUnsavedEdit(key, text === forField(theirs.content) ? null : { base: theirs, text });
      setChoosing(false);
    },
    choose: setChoosing,
    stop: () => {
      setUnsavedEdit(key, null);
      setChoosing(false);
      clearResult();
      setOpen(false);
    },
  };
}

/** undefined: the file is the base of the edit. null: it was deleted. */
function newerThan(
  unsaved: UnsavedEdit,
  file: FileRecord | undefined,
  isDeleted: boolean,
): FileRecord | null | undefined {
  if (isDeleted) return null;
  return file?.revision === unsaved.base.revision ? undefined : file;
}

function useSaving(workspaceId: string, path: string) {
  const { client } = useServices();
  const queries = useQueryClient();
  const [choosing, setChoosing] = useState(false);
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [saved, setSaved] = useState<string | null>(null);
  const queryKey = ['file', workspaceId, path];
  const finish = (record: FileRecord): void => {
    queries.setQueryData(queryKey, record);
    setUnsavedEdit(editKey(workspaceId, path), null);
    setChoosing(false);
    setSaved(record.revision);
    announce(`Saved ${path}.`);
  };
  /** `over`: the revision to replace; null: the path must be free. Answers whether the text is saved. */
  const write = async (base: FileRecord, text: string, over: FileRecord | null): Promise<boolean> => {
    const content = fromField((over ?? base).content, text);
    setSaving(true);
    setFailure(null);
    try {
      const { targetRevision } = await client.writeFile(workspaceId, path, content, {
        ifMatch: over?.revision ?? '0',
        contentType: base.contentType,
      });
      finish({ ...base, content, revision: targetRevision });
      // Loads the hash and the time from the agent.
      void queries.invalidateQueries({ queryKey });
      return true;
    } catch (error) {
      if (!(error instanceof RevisionConflictError || error instanceof NotFoundError)) {
        setFailure(failureText(error));
        return false;
      }
      await queries.invalidateQueries({ queryKey });
      const current = queries.getQueryData<FileRecord>(queryKey);
      // The response of an earlier save was lost: the file has this text already.
      if (current?.content === content && current.revision !== over?.revision) {
        finish(current);
        return true;
      }
      setChoosing(true);
      announceFailure('The file changed while you were editing. Nothing was saved; both versions are shown.');
      return false;
    } finally {
      setSaving(false);
    }
  };
  /** Hides the result of the last save. */
  const clearResult = (): void => {
    setSaved(null);
    setFailure(null);
  };
  return { saving, failure, saved, choosing, setChoosing, clearResult, write };
}

function failureText(error: unknown): string {
  if (error instanceof NoAnswerError)
    return 'No response from the agent, so the save may or may not have succeeded. Your text is still here; saving again is safe.';
  return `Not saved. ${describeError(error)} Your text is still here.`;
}
