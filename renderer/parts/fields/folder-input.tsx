// A folder of this computer: typed, with completion, or chosen in a dialog of the desktop app. Below it, what mirroring it means.
import type { HTMLAttributes, ReactElement } from 'react';
import { desktop } from '../../api/desktop.ts';
import { useNewFolder } from '../../api/new-folder.ts';
import { describeError } from '../../api/services.ts';
import { isAbsoluteDir } from '../../model/files/path.ts';
import { Button } from '../buttons/button.tsx';
import { announceFailure } from '../feedback/answers.ts';
import { CompletedInput } from './completed-input.tsx';

interface FolderInputProps {
  readonly wiring: Pick<HTMLAttributes<HTMLElement>, 'id' | 'aria-describedby' | 'aria-invalid'>;
  readonly dir: string;
  readonly onChange: (dir: string) => void;
}

export function FolderInput({ wiring, dir, onChange }: FolderInputProps): ReactElement {
  const bridge = desktop();
  const { data } = useNewFolder(dir);
  const choose = async (): Promise<void> => {
    try {
      const chosen = await bridge?.chooseFolder({ title: 'Mirror a folder', startIn: dir });
      if (typeof chosen === 'string') onChange(chosen);
    } catch (error) {
      announceFailure(describeError(error));
    }
  };
  return (
    <CompletedInput
      wiring={wiring}
      value={dir}
      placeholder="~/notes"
      proposals={data?.proposals ?? []}
      // A folder that exists may be meant, also where others begin with its name.
      isUnfinished={data?.typed === dir && (data.kind !== 'folder' || dir.endsWith('/'))}
      isWaiting={dirProblem(dir) === null && data?.typed !== dir}
      onChange={onChange}
    >
      {bridge === null ? null : <Button onClick={() => void choose()}>Choose…</Button>}
    </CompletedInput>
  );
}

/** Why the path is invalid; null: valid as far as the page knows. */
export function dirProblem(dir: string): string | null {
  if (dir === '') return 'Enter a folder.';
  if (/^~(?:[\\/]|$)/.test(dir) || isAbsoluteDir(dir)) return null;
  return 'Enter an absolute path: it starts with “/”, “~/” or a drive such as “C:\\”.';
}
