// A folder of a workspace: typed, with completion, and the number of files in it at this moment.
import type { ReactElement } from 'react';
import { type MatchingFiles, useFolderCompletion } from '../../api/matching-files.ts';
import { plural } from '../../model/format.ts';
import { CompletedInput } from './completed-input.tsx';
import { Field } from './field.tsx';

export function WorkspaceFolderField({
  workspaceId,
  value,
  hint,
  error,
  matching,
  onChange,
}: {
  readonly workspaceId: string;
  readonly value: string;
  /** While nothing is typed. */
  readonly hint: string;
  readonly error: string | null;
  /** undefined: not known yet. */
  readonly matching: MatchingFiles | undefined;
  readonly onChange: (value: string) => void;
}): ReactElement {
  const proposals = useFolderCompletion(workspaceId, value);
  return (
    <Field
      label="Folder"
      error={error}
      hint={
        <span role="status">
          {matching === undefined ? 'Counting files…' : value === '' ? hint : <Match of={matching} />}
        </span>
      }
    >
      {(wiring) => (
        <CompletedInput
          wiring={wiring}
          value={value}
          placeholder="/docs"
          proposals={proposals}
          isUnfinished={value.endsWith('/') || !proposals.includes(value)}
          isWaiting={false}
          onChange={onChange}
        />
      )}
    </Field>
  );
}

function Match({ of: { pattern, files, isLeast } }: { readonly of: MatchingFiles }): ReactElement {
  const count = `${isLeast ? 'at least ' : ''}${plural(files, 'file')}`;
  return (
    <>
      <span className="mono">{pattern ?? '/**'}</span>{' '}
      {files === 0
        ? 'matches no file now. Files that are created there later are included.'
        : `matches ${count} now.`}
    </>
  );
}
