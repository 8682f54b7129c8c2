// Asks for a path: of a new file, where a file or folder moves to, or the folder that several move into.
import { type ReactElement, useCallback, useState } from 'react';
import { describeError, useDisabledReason } from '../../../api/services.ts';
import { nameOf } from '../../../model/files/path.ts';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { Field } from '../../../parts/fields/field.tsx';

export function PathDialog({
  title,
  submit,
  path: initial,
  hint,
  ofFolder = false,
  onSubmit,
  onClose,
}: {
  readonly title: string;
  /** The label of the button. */
  readonly submit: string;
  /** The path at the beginning; its name without extension is selected. */
  readonly path: string;
  readonly hint: string;
  /** The path of an existing or new folder, also `/`. */
  readonly ofFolder?: boolean;
  /** The dialog closes when it resolves and shows the error when it rejects. */
  readonly onSubmit: (path: string) => Promise<void>;
  readonly onClose: () => void;
}): ReactElement {
  const offline = useDisabledReason();
  const [path, setPath] = useState(initial);
  const [state, setState] = useState<'asking' | 'running' | { readonly failed: string }>('asking');
  // A ref, not an effect: letters typed immediately after opening must not get lost.
  const selectName = useCallback(
    (field: HTMLInputElement | null) => {
      const name = nameOf(initial);
      const dot = name.lastIndexOf('.');
      const start = initial.length - name.length;
      field?.focus();
      field?.setSelectionRange(start, dot > 0 ? start + dot : initial.length);
    },
    [initial],
  );
  const problem = pathProblem(path, ofFolder);
  const isUnchanged = path === initial && initial !== '' && (ofFolder || !initial.endsWith('/'));
  return (
    <FormDialog
      title={title}
      submit={submit}
      disabledReason={
        state === 'running' ? 'Working…' : (problem ?? (isUnchanged ? 'Enter another path.' : offline))
      }
      onSubmit={() => {
        setState('running');
        onSubmit(path).then(onClose, (error: unknown) => setState({ failed: describeError(error) }));
      }}
      onClose={onClose}
    >
      <Field
        label={ofFolder ? 'Folder' : 'Path'}
        hint={hint}
        error={typeof state === 'object' ? state.failed : null}
      >
        {(wiring) => (
          <input
            {...wiring}
            ref={selectName}
            className="input mono"
            value={path}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => {
              setPath(event.target.value);
              setState('asking');
            }}
          />
        )}
      </Field>
    </FormDialog>
  );
}

/** null: valid as far as the page knows. */
function pathProblem(path: string, ofFolder: boolean): string | null {
  if (!path.startsWith('/')) return 'A path begins with “/”.';
  if (path.endsWith('/') && !ofFolder) return 'Enter a name.';
  return path.includes('//') ? 'A folder has no name.' : null;
}
