// What a mirror leaves out: the rule file at the root of its folder, edited with its effect beside it. It is a file like any other,
// so a save is a revision that its history can bring back.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { NotFoundError, type RulePreview } from '../../../sdk/index.ts';
import type { FileRecord } from '../../../server/contract/files.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { forField, fromField } from '../../model/files/line-ends.ts';
import { count, plural } from '../../model/format.ts';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { announce } from '../../parts/feedback/announcer.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Field } from '../../parts/fields/field.tsx';
import { useDebounced } from '../../parts/fields/use-debounced.ts';

/** Paths that are named; the number counts all. */
const namedMax = 100;

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
      title={`What ${name} leaves out`}
      submit="Save rules"
      disabledReason={
        offline ??
        (mirror.mode === 'to-workspace'
          ? 'This mirror never writes its folder: edit .mooringignore there.'
          : file === undefined
            ? 'The rules are not read yet.'
            : save.isPending
              ? 'They are being saved.'
              : rules === before
                ? 'Nothing is changed yet.'
                : null)
      }
      error={failure ?? (save.isError ? describeError(save.error) : null)}
      note="Saved as .mooringignore, with its history."
      wide
      onSubmit={() => save.mutate(rules)}
      onClose={onClose}
    >
      <Field
        label="Rules"
        hint="As in .gitignore, one a line: build/ leaves out a folder, *.tmp files by name, !keep.tmp takes one back. .git and files of editors are always left out."
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

/** null: there is none. undefined: it is not read yet. */
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
    staleTime: 0,
    gcTime: 0,
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
      announce('The rules are saved.');
      onSaved();
    },
  });
}

function Effect({ mirror, rules }: { readonly mirror: Mirror; readonly rules: string }): ReactElement {
  const { client } = useServices();
  const settled = useDebounced(rules);
  const preview = useQuery({
    queryKey: ['rule-preview', mirror.mirrorId, settled],
    queryFn: async ({ signal }) =>
      await client.mirrors.previewRules(mirror.workspaceId, mirror.mirrorId, settled, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  if (preview.isError) {
    return (
      <p className="hint bad" role="alert">
        {describeError(preview.error)}
      </p>
    );
  }
  if (preview.data === undefined) return <p className="faint">Looking which files that leaves out.</p>;
  const { looked, leftOut, carried, fault } = preview.data;
  if (fault !== undefined) {
    return (
      <p className="hint bad" role="alert">
        {fault}. Such rules are not applied: nothing in this folder would be synced or deleted until they are
        shorter.
      </p>
    );
  }
  return (
    <section className="rule-effect" aria-label="Effect">
      <p>
        {leftOut.count + carried.count === 0
          ? `None of the ${plural(looked, 'file')} is touched by this change of the rules.`
          : `Of ${plural(looked, 'file')}:`}
      </p>
      <PathGroup
        title={`${count(leftOut.count)} left out from now on. They stay on both sides; their changes are not carried.`}
        group={leftOut}
      />
      <PathGroup title={`${count(carried.count)} carried again.`} group={carried} />
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
  const named = group.paths.slice(0, namedMax);
  return (
    <>
      <p>{title}</p>
      <ul className="revert-files">
        {named.map((path) => (
          <li key={path}>
            <PathText path={path} />
          </li>
        ))}
      </ul>
      {group.count > named.length ? (
        <p className="faint">And {count(group.count - named.length)} more.</p>
      ) : null}
    </>
  );
}
