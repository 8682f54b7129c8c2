// Edits the ignore rules of a mirror with a preview of their effect. They are a file of the workspace, so each save is a revision
// that can be restored.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { NotFoundError, type RulePreview } from '../../../../sdk/index.ts';
import type { FileRecord } from '../../../../server/contract/files.ts';
import type { Mirror } from '../../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices } from '../../../api/services.ts';
import { forField, fromField } from '../../../model/files/line-ends.ts';
import { count, plural } from '../../../model/format.ts';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { announce } from '../../../parts/feedback/answers.ts';
import { FailureText } from '../../../parts/feedback/note.tsx';
import { PathText } from '../../../parts/feedback/path-text.tsx';
import { Field } from '../../../parts/fields/field.tsx';
import { useDebounced } from '../../../parts/fields/use-debounced.ts';

/** Limit of listed paths; the number counts all. */
const listedMax = 100;

interface RulesProps {
  readonly name: string;
  readonly mirror: Mirror;
  readonly onClose: () => void;
}

export function RulesDialog({ name, mirror, onClose }: RulesProps): ReactElement {
  const offline = useDisabledReason();
  const { file, failure } = useRuleFile(mirror);
  const [typed, setTyped] = useState<string | null>(null);
  const before = file === undefined ? '' : forField(file?.content ?? '');
  const rules = typed ?? before;
  const save = useSaveRules(mirror, file ?? null, onClose);
  return (
    <FormDialog
      title={`Ignore rules of ${name}`}
      submit="Save rules"
      disabledReason={
        offline ??
        (mirror.mode === 'to-workspace'
          ? 'This mirror never writes to its folder. Edit .mooringignore there.'
          : file === undefined
            ? 'Loading…'
            : save.isPending
              ? 'Saving…'
              : rules === before
                ? 'No changes yet.'
                : null)
      }
      error={failure ?? (save.isError ? describeError(save.error) : null)}
      note="Saved as .mooringignore"
      wide
      onSubmit={() => save.mutate(rules)}
      onClose={onClose}
    >
      <Field
        label="Rules"
        hint="One pattern per line, as in .gitignore: build/ ignores a folder, *.tmp matches files by name, !keep.tmp excludes a file from the rules. .git and temporary files of editors are always ignored."
      >
        {(wiring) => (
          <textarea
            {...wiring}
            className="input payload-field"
            rows={7}
            spellCheck={false}
            readOnly={file === undefined || save.isPending}
            value={rules}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      {file === undefined ? null : <Effect mirror={mirror} rules={rules} />}
    </FormDialog>
  );
}

function ruleFileOf(mirror: Mirror): string {
  return `${mirror.path === '/' ? '' : mirror.path}/.mooringignore`;
}

/** null: no rule file. undefined: loading. */
function useRuleFile(mirror: Mirror): {
  readonly file: FileRecord | null | undefined;
  readonly failure: string | null;
} {
  const { client } = useServices();
  const { data, error } = useQuery({
    queryKey: ['rules', mirror.mirrorId],
    queryFn: async ({ signal }) =>
      await client.readFile(mirror.workspaceId, ruleFileOf(mirror), { signal }).catch((reason: unknown) => {
        if (reason instanceof NotFoundError) return null;
        throw reason;
      }),
    gcTime: 0,
    // A save replaces the revision that is shown, not one that was loaded meanwhile.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { file: data, failure: error === null ? null : describeError(error) };
}

function useSaveRules(mirror: Mirror, file: FileRecord | null, onSaved: () => void) {
  const { client } = useServices();
  return useMutation({
    mutationFn: async (rules: string) => {
      const { workspaceId } = mirror;
      const path = ruleFileOf(mirror);
      const ifMatch = file?.revision ?? '0';
      if (rules.trim() === '' && file !== null)
        return await client.deleteFile(workspaceId, path, { ifMatch });
      const content = fromField(file?.content ?? '', rules);
      return await client.writeFile(workspaceId, path, content, { ifMatch, contentType: 'text/plain' });
    },
    onSuccess: () => {
      announce('Ignore rules saved.');
      onSaved();
    },
  });
}

function Effect({ mirror, rules }: { readonly mirror: Mirror; readonly rules: string }): ReactElement {
  const { client } = useServices();
  const debounced = useDebounced(rules);
  const preview = useQuery({
    queryKey: ['rule-preview', mirror.mirrorId, debounced],
    queryFn: async ({ signal }) =>
      await client.mirrors.previewRules(mirror.workspaceId, mirror.mirrorId, debounced, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  if (preview.isError) return <FailureText error={preview.error} />;
  if (preview.data === undefined) return <p className="faint">Calculating the effect…</p>;
  const { looked, leftOut, carried, fault } = preview.data;
  if (fault !== undefined) {
    return (
      <p className="hint bad" role="alert">
        {fault}. These rules are not applied: the mirror would not sync or delete anything until they are
        shorter.
      </p>
    );
  }
  return (
    <section className="rule-effect" aria-label="Effect">
      <p>
        {leftOut.count + carried.count === 0
          ? `No effect on the ${plural(looked, 'file')} of this mirror`
          : `Of ${plural(looked, 'file')}:`}
      </p>
      <PathGroup
        title={`${plural(leftOut.count, 'file')} will be ignored. They stay on both sides and stop syncing.`}
        group={leftOut}
      />
      <PathGroup title={`${plural(carried.count, 'file')} will sync again.`} group={carried} />
    </section>
  );
}

function PathGroup({
  title,
  group,
}: {
  readonly title: string;
  readonly group: RulePreview['leftOut'];
}): ReactElement | null {
  if (group.count === 0) return null;
  const listed = group.paths.slice(0, listedMax);
  return (
    <>
      <p>{title}</p>
      <ul className="revert-files">
        {listed.map((path) => (
          <li key={path}>
            <PathText path={path} />
          </li>
        ))}
      </ul>
      {group.count > listed.length ? (
        <p className="faint">and {count(group.count - listed.length)} more</p>
      ) : null}
    </>
  );
}
