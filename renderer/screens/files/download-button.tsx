// Downloads a loaded file.
import type { ReactElement } from 'react';
import { bytesOf } from '../../../sdk/index.ts';
import type { FileRecord } from '../../../server/contract/files.ts';
import { useDisabledReason } from '../../api/services.ts';
import { nameOf } from '../../model/files/path.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { saveAs } from '../../parts/buttons/save-as.ts';

export function DownloadButton({ file }: { readonly file: FileRecord | undefined }): ReactElement {
  const disabledReason = useDisabledReason();
  return (
    <Button
      icon="download"
      shortcut="D"
      disabledReason={file === undefined ? (disabledReason ?? 'The file is loading.') : null}
      onClick={() => saveFile(file)}
    >
      Download
    </Button>
  );
}

/** The action of the button and its key. */
export function saveFile(file: FileRecord | undefined): void {
  if (file === undefined) return;
  saveAs(new Blob([bytesOf(file) as BlobPart], { type: 'application/octet-stream' }), nameOf(file.path));
}
