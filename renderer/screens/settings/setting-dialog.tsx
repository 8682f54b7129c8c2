// Changes one setting in `config.json`. The agent checks the value; a refusal appears at the field, and what was typed stays.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { AgentSetting } from '../../../server/contract/agent.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { settingName, settingValue, typedValue } from '../../model/access/setting-labels.ts';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { TextField } from '../../parts/fields/field.tsx';

export function SettingDialog({
  setting,
  version,
  onClose,
}: {
  readonly setting: AgentSetting;
  /** Of the configuration file that is shown. */
  readonly version: string;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const queries = useQueryClient();
  const disabledReason = useDisabledReason();
  const { name, nextValue } = setting;
  const before = typedValue({ name, value: nextValue ?? setting.value });
  const fallback = typedValue({ name, value: setting.default });
  const [typed, setTyped] = useState(before);
  const value = typed.trim();
  const change = useMutation({
    mutationFn: async () =>
      await client.agent.changeSettings({ version, settings: { [name]: value === fallback ? null : value } }),
    onSuccess: (report) => {
      queries.setQueryData(['agent-settings'], report);
      announce(`${settingName(setting)}: saved in config.json.`);
      onClose();
    },
    onError: () => void queries.invalidateQueries({ queryKey: ['agent-settings'] }),
  });
  return (
    <FormDialog
      title={`Change ${settingName(setting)}`}
      submit="Save"
      disabledReason={
        disabledReason ?? (change.isPending ? 'Saving…' : value === before ? 'No changes yet.' : null)
      }
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <p className="soft">
        Saved in config.json. It holds after a restart of the agent: running work keeps the limits with which
        it began.
      </p>
      <TextField
        label={settingName(setting)}
        hint={`Use ${setting.expected}. Default: ${settingValue({ name, value: setting.default })}.`}
        error={change.isError ? withoutName(describeError(change.error), name) : null}
        className="input number-input"
        value={typed}
        onChange={(next) => {
          setTyped(next);
          change.reset();
        }}
      />
    </FormDialog>
  );
}

/** The refusal begins with the setting as config.json names it; the field has its label. */
function withoutName(refusal: string, name: string): string {
  const begin = `${name}: `;
  const begins = refusal.toLowerCase().startsWith(begin.toLowerCase());
  return begins ? refusal.slice(begin.length) : refusal;
}
