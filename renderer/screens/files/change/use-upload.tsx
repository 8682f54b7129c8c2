// Uploads into the open folder: chosen files, or files and folders dropped on the list. Existing names are decided once for all.
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { holdingPage } from '../../../api/running-work.ts';
import { describeError, useServices } from '../../../api/services.ts';
import {
  droppedFiles,
  type ExistingChoice,
  type Upload,
  uploadedFilesMax,
  uploadFiles,
} from '../../../api/uploads.ts';
import { count, plural } from '../../../model/format.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { DialogBody } from '../../../parts/dialogs/dialog-body.tsx';
import { announce, announceFailure } from '../../../parts/feedback/answers.ts';
import { Icon } from '../../../parts/feedback/icon.tsx';

/** Files whose names exist. */
interface Question {
  readonly folder: string;
  readonly uploads: readonly Upload[];
}

interface Running {
  readonly done: number;
  readonly all: number;
}

export interface UploadControls {
  /** Opens the file dialog of the browser. */
  readonly choose: () => void;
  /** Uploads what was dropped on a folder. */
  readonly drop: (data: DataTransfer, target: string) => void;
  /** The hidden field, the progress and the dialog. */
  readonly shown: ReactElement;
}

export function useUpload(
  workspaceId: string,
  folder: string,
  disabledReason: string | null,
): UploadControls {
  const { client } = useServices();
  const [running, setRunning] = useState<Running | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [questions, setQuestions] = useState<readonly Question[]>([]);
  const previous = useRef<Promise<void>>(Promise.resolve());
  const input = useRef<HTMLInputElement>(null);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  /** One after the other: what is dropped while files are uploaded waits for its turn. */
  const upload = (uploads: readonly Upload[], target: string, choice: ExistingChoice | null): void => {
    const tooMany =
      uploads.length > uploadedFilesMax
        ? `At most ${count(uploadedFilesMax)} files can be uploaded at once.`
        : null;
    const refusal = uploads.length === 0 ? null : (disabledReason ?? tooMany);
    setFailed(refusal);
    if (uploads.length === 0 || refusal !== null) return;
    const before = previous.current;
    previous.current = holdingPage(before.then(async () => await uploadNow(uploads, target, choice)));
  };
  const uploadNow = async (
    uploads: readonly Upload[],
    target: string,
    choice: ExistingChoice | null,
  ): Promise<void> => {
    setRunning({ done: 0, all: uploads.length });
    try {
      const result = await uploadFiles(client, { workspaceId, folder: target }, uploads, choice, (done) =>
        setRunning({ done, all: uploads.length }),
      );
      const done = `Uploaded ${plural(result.uploaded.length, 'file')}.`;
      // Another screen cannot ask: it says what was not uploaded, and why.
      if (!isShown.current && result.existing.length > 0)
        announceFailure(`${done} ${notReplaced(target, result.existing.length)}`);
      else if (result.uploaded.length > 0) announce(done);
      if (result.existing.length > 0)
        setQuestions((open) => [...open, { folder: target, uploads: result.existing }]);
    } catch (error) {
      const stopped = `Upload stopped. ${describeError(error)} Some files are uploaded.`;
      if (isShown.current) setFailed(stopped);
      else announceFailure(stopped);
    } finally {
      setRunning(null);
    }
  };
  const [question] = questions;
  const answered = (): void => setQuestions((open) => open.filter((each) => each !== question));
  return {
    choose: () => input.current?.click(),
    drop: (data, target) =>
      void droppedFiles(data).then(
        (uploads) => upload(uploads, target, null),
        (error: unknown) => setFailed(describeError(error)),
      ),
    shown: (
      <>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Files to upload"
          onChange={(event) => {
            const files = [...(event.target.files ?? [])].map((file) => ({ name: file.name, file }));
            event.target.value = '';
            upload(files, folder, null);
          }}
        />
        {running === null ? null : <Progress {...running} />}
        {failed === null ? null : (
          <p className="note-line" role="alert">
            <Icon of="warning" small />
            <span className="grow">{failed}</span>
            <Button kind="ghost" icon="close" label="Close" onClick={() => setFailed(null)} />
          </p>
        )}
        {question === undefined ? null : (
          <ExistingDialog
            uploads={question.uploads}
            onChoose={(choice) => {
              answered();
              upload(question.uploads, question.folder, choice);
            }}
            onClose={answered}
          />
        )}
      </>
    ),
  };
}

function notReplaced(folder: string, existing: number): string {
  const [files, were] =
    existing === 1 ? ['1 file exists', 'was'] : [`${count(existing)} files exist`, 'were'];
  return `${files} already in ${folder} and ${were} not replaced. Upload ${existing === 1 ? 'it' : 'them'} again to choose.`;
}

function Progress({ done, all }: Running): ReactElement {
  return (
    <div className="note-line plain upload-progress" role="status">
      <span>
        Uploading {count(Math.min(done + 1, all))} of {plural(all, 'file')}
      </span>
      <span className="progress grow" aria-hidden="true">
        <span style={{ width: `${(100 * done) / all}%` }} />
      </span>
    </div>
  );
}

/** Names in the dialog; further ones are counted. */
const shownNamesMax = 8;

function ExistingDialog({
  uploads,
  onChoose,
  onClose,
}: {
  readonly uploads: readonly Upload[];
  readonly onChoose: (choice: ExistingChoice) => void;
  readonly onClose: () => void;
}): ReactElement {
  const more = uploads.length - shownNamesMax;
  return (
    <Dialog
      title={`${plural(uploads.length, 'file')} ${uploads.length === 1 ? 'exists' : 'exist'} already`}
      onClose={onClose}
    >
      <DialogBody
        actions={
          <>
            <Button onClick={onClose}>Skip</Button>
            <Button onClick={() => onChoose('both')}>Keep both</Button>
            <Button kind="primary" onClick={() => onChoose('replace')}>
              Replace
            </Button>
          </>
        }
      >
        <p>Replaced content stays in history. “Keep both” adds a number to the new name.</p>
        <ul className="mono">
          {uploads.slice(0, shownNamesMax).map(({ name }) => (
            <li key={name} className="ellipsis">
              {name}
            </li>
          ))}
        </ul>
        {more > 0 ? <p className="faint">{plural(more, 'more file')}</p> : null}
      </DialogBody>
    </Dialog>
  );
}
