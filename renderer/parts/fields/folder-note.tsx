// What mirroring a folder means, before it begins: its files, or why it cannot be mirrored.
import type { ReactElement } from 'react';
import type { NewFolderCount } from '../../../sdk/index.ts';
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
  return (
    <div role="status" className="folder-note">
      <Text dir={dir} hidesCloud={hidesCloud} />
    </div>
  );
}

function Text({ dir, hidesCloud }: { readonly dir: string; readonly hidesCloud: boolean }): ReactElement {
  const { data } = useNewFolder(dir);
  const known = data?.typed === dir && data.dir !== null ? data : null;
  const counted = known !== null && known.kind === 'folder' && known.refusal === null ? known.dir : null;
  const query = useNewFolderCount(counted);
  if (known === null) return <Note>{nothingTypedText}</Note>;
  if (known.refusal !== null) return <Note icon="warning">{known.refusal}</Note>;
  if (known.kind === 'missing') return <Note>A new folder: Mooring creates {known.dir}.</Note>;
  return (
    <>
      {query.data === undefined ? (
        <Note>{query.error === null ? 'Counting files…' : `Not counted. ${describeError(query.error)}`}</Note>
      ) : (
        <Note icon="fine">
          <b>{countText(query.data)}</b> in {known.dir}. {ignoredText}
        </Note>
      )}
      {known.cloud === null || hidesCloud ? null : <Note icon="warning">{known.cloud.text}</Note>}
    </>
  );
}

const nothingTypedText = 'The files of the folder are counted here before the mirror is created.';
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
