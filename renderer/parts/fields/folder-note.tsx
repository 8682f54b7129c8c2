// What mirroring a folder means, before it begins: its files, or why it cannot be mirrored.
import type { ReactElement } from 'react';
import type { NewFolder, NewFolderCount } from '../../../sdk/index.ts';
import { useNewFolder, useNewFolderCount } from '../../api/new-folder.ts';
import { describeError } from '../../api/services.ts';
import { count, plural, size } from '../../model/format.ts';
import { Note } from '../feedback/note.tsx';

export function FolderNote({
  dir,
  hidesCloud,
}: {
  /** The typed text. */
  readonly dir: string;
  /** The same is shown as an error already. */
  readonly hidesCloud: boolean;
}): ReactElement {
  const { data } = useNewFolder(dir);
  const known = data?.typed === dir && data.dir !== null ? data : null;
  const counted = known !== null && known.kind === 'folder' && known.refusal === null ? known.dir : null;
  const counting = useNewFolderCount(counted);
  return (
    <div className="folder-note">
      {/* Beside the status: a reader would say it again after each letter. */}
      {known === null ? <Note>{hintText}</Note> : null}
      <div role="status" className="folder-known">
        {known === null ? null : <Text known={known} counting={counting} hidesCloud={hidesCloud} />}
      </div>
    </div>
  );
}

function Text({
  known,
  counting,
  hidesCloud,
}: {
  readonly known: NewFolder;
  readonly counting: ReturnType<typeof useNewFolderCount>;
  readonly hidesCloud: boolean;
}): ReactElement {
  if (known.refusal !== null) return <Note icon="warning">{known.refusal}</Note>;
  if (known.kind === 'missing') return <Note>A new folder: Mooring creates {known.dir}.</Note>;
  return (
    <>
      {counting.data === undefined ? (
        <Note>
          {counting.error === null ? 'Counting files…' : `Not counted. ${describeError(counting.error)}`}
        </Note>
      ) : (
        <Note icon="fine">
          <b>{countText(counting.data)}</b> in {known.dir}. {ignoredText}
        </Note>
      )}
      {known.cloud === null || hidesCloud ? null : <Note icon="warning">{known.cloud.text}</Note>}
    </>
  );
}

const hintText = 'The files of the folder are counted here before the mirror is created.';
const ignoredText = 'The first sync deletes none of them.';

/** `1,288 files, 240 MB, 3 too large (over 67 MB)`. */
function countText({ files, bytes, tooLarge, fileBytesMax, complete }: NewFolderCount): string {
  const parts = [
    complete ? plural(files, 'file') : `More than ${count(files)} files`,
    size(bytes),
    ...(tooLarge === 0 ? [] : [`${count(tooLarge)} too large (over ${size(fileBytesMax)})`]),
  ];
  return parts.join(', ');
}
