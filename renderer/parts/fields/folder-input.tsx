// A folder of this computer: typed, or chosen in a dialog of the desktop app.
import type { HTMLAttributes, ReactElement } from 'react';
import { desktop } from '../../api/desktop.ts';
import { describeError } from '../../api/services.ts';
import { isAbsoluteDir } from '../../model/files/path.ts';
import { Button } from '../buttons/button.tsx';
import { announce } from '../feedback/announcer.tsx';

export function FolderInput({
  wiring,
  dir,
  onChange,
}: {
  readonly wiring: Pick<HTMLAttributes<HTMLElement>, 'id' | 'aria-describedby' | 'aria-invalid'>;
  readonly dir: string;
  readonly onChange: (dir: string) => void;
}): ReactElement {
  const bridge = desktop();
  const choose = async (): Promise<void> => {
    try {
      const chosen = await bridge?.chooseFolder({ title: 'Mirror a folder', startIn: dir });
      if (typeof chosen === 'string') onChange(chosen);
    } catch (error) {
      announce(describeError(error));
    }
  };
  return (
    <span className="row">
      <input
        {...wiring}
        className="input mono"
        value={dir}
        placeholder="/home/you/notes"
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      {bridge === null ? null : <Button onClick={() => void choose()}>Choose…</Button>}
    </span>
  );
}

/** Why the path is invalid; null: valid as far as the page knows. */
export function dirProblem(dir: string): string | null {
  if (dir === '') return 'Enter a folder.';
  if (dir.startsWith('~')) return 'Enter an absolute path (no “~”).';
  return isAbsoluteDir(dir) ? null : 'Enter an absolute path: it starts with “/” or a drive such as “C:\\”.';
}
