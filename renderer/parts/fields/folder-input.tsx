// A folder of this computer: typed, or chosen in the dialog of the system where the desktop app is around.
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

/** Why it cannot be a folder; null: the agent may be asked. */
export function dirProblem(dir: string): string | null {
  if (dir === '') return 'Which folder?';
  if (dir.startsWith('~')) return 'Write the whole path, without “~”.';
  return isAbsoluteDir(dir) ? null : 'A whole path begins with “/” (or a drive, such as “C:\\”).';
}
