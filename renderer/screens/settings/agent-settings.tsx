// The settings of the agent: value, what set it, and the value after a restart. Limits, retention and the log level can be changed.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { AgentSetting } from '../../../server/contract/agent.ts';
import { useDisabledReason, useServices } from '../../api/services.ts';
import {
  settingName,
  settingSource,
  settingValue,
  unchangeableReason,
} from '../../model/access/setting-labels.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { LoadError } from '../../parts/feedback/load-error.tsx';
import { Note } from '../../parts/feedback/note.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';
import { TableCard } from '../../parts/tables/table-card.tsx';
import { SettingDialog } from './setting-dialog.tsx';

export function AgentSettings(): ReactElement {
  const { client } = useServices();
  /** With the version of the file of which it was shown. */
  const [changed, setChanged] = useState<{
    readonly setting: AgentSetting;
    readonly version: string;
  } | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['agent-settings'],
    queryFn: async ({ signal }) => await client.agent.settings({ signal }),
  });
  const waiting = data?.settings.some(({ nextValue }) => nextValue !== undefined) ?? false;
  return (
    <section className="settings-part" aria-labelledby="agent-settings">
      <h2 id="agent-settings">Limits and retention</h2>
      {data === undefined ? (
        error === null ? (
          <SkeletonRows />
        ) : (
          <LoadError what="the settings" error={error} onAgain={() => void refetch()} />
        )
      ) : (
        <>
          <p className="hint">
            Read at the start of the agent from flags, environment variables and{' '}
            <span className="mono">{data.configFile}</span>{' '}
            <CopyButton text={data.configFile} what="the path of the configuration" />. Settings with a flag
            instead of a button decide who reaches the agent or what it serves: change them in this file or
            with the flag.
          </p>
          {data.problem === undefined ? null : (
            <Note>{data.problem}. Correct the file: the agent would not start with it.</Note>
          )}
          {waiting ? (
            <Note>
              Restart the agent to apply the changes: running work keeps the limits with which it began.
            </Note>
          ) : null}
          <TableCard columns={['Setting', 'Value', 'Set by', 'Change']}>
            {data.settings.map((setting) => (
              <SettingRow
                key={setting.name}
                setting={setting}
                onChange={() => setChanged({ setting, version: data.version })}
              />
            ))}
          </TableCard>
          {changed === null ? null : <SettingDialog {...changed} onClose={() => setChanged(null)} />}
        </>
      )}
    </section>
  );
}

function SettingRow({
  setting,
  onChange,
}: {
  readonly setting: AgentSetting;
  readonly onChange: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const { name, nextValue } = setting;
  return (
    <tr>
      <th scope="row">{settingName(setting)}</th>
      <td>
        {settingValue(setting)}
        {setting.isDefault ? null : <span className="tag">changed</span>}
        {nextValue === undefined ? null : (
          <span className="second">{settingValue({ name, value: nextValue })} after a restart</span>
        )}
      </td>
      <td>
        <span
          className={setting.source === 'default' ? 'faint' : 'mono'}
          title={`${setting.flag} or ${setting.variable}`}
        >
          {settingSource(setting)}
        </span>
      </td>
      <td>
        {setting.isEditable ? (
          <Button
            name={`Change… ${settingName(setting)}`}
            disabledReason={unchangeableReason(setting) ?? disabledReason}
            onClick={onChange}
          >
            Change…
          </Button>
        ) : (
          <span className="mono faint" title={unchangeableReason(setting) ?? ''}>
            {setting.flag}
          </span>
        )}
      </td>
    </tr>
  );
}
