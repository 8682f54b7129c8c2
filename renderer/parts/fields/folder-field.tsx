// The folder of this computer that is to be mirrored: the field, and below it what mirroring the folder means. The completions open below
// both and move nothing: a list in the flow moved the buttons of the dialog when it closed, and the click that closed it missed its button.
import type { ReactElement } from 'react';
import { Field } from './field.tsx';
import { FolderInput } from './folder-input.tsx';
import { FolderNote } from './folder-note.tsx';

export function FolderField({
  dir,
  error,
  hidesCloud = false,
  onChange,
}: {
  /** The typed text. */
  readonly dir: string;
  readonly error: string | null;
  /** The error says that it is a folder of a cloud service. */
  readonly hidesCloud?: boolean;
  readonly onChange: (dir: string) => void;
}): ReactElement {
  return (
    <div className="folder-field">
      <Field label="Folder" hint="Absolute path on this computer, or ~/… in your home." error={error}>
        {(wiring) => <FolderInput wiring={wiring} dir={dir} onChange={onChange} />}
      </Field>
      <FolderNote dir={dir.trim()} hidesCloud={hidesCloud} />
    </div>
  );
}
