// How the page and the agent behave: theme, keys, start at login, limits and retention as the agent tells them.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { agentUrl } from '../../api/desktop.ts';
import { useObservable } from '../../api/observable.ts';
import { useServices } from '../../api/services.ts';
import { setSingleKeys, singleKeys } from '../../keys.ts';
import { settingName, settingValue } from '../../model/access/setting-labels.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { Segments } from '../../parts/buttons/segments.tsx';
import { LoadError } from '../../parts/feedback/failed-reading.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';
import { TableCard } from '../../parts/tables/table-card.tsx';
import { setTheme, type Theme, theme } from '../../theme.ts';
import { DesktopLines } from './desktop-lines.tsx';
import { SectionHead } from './section-head.tsx';
import { SettingLine } from './setting-line.tsx';
import { NoticesDialog } from './webhooks-dialog.tsx';

export function AppSection(): ReactElement {
  const choice = useObservable(theme);
  const letters = useObservable(singleKeys);
  const [showsNotices, setShowsNotices] = useState(false);
  return (
    <>
      <SectionHead title="App" />
      <ul className="setting-lines">
        <SettingLine name="Theme" about="Light, dark, or as the system is.">
          <Segments
            label="Theme"
            options={[
              { value: 'light', text: 'Light' },
              { value: 'dark', text: 'Dark' },
              { value: 'system', text: 'As the system' },
            ]}
            value={choice}
            onChange={(next: Theme) => setTheme(next)}
          />
        </SettingLine>
        <SettingLine
          name="Single keys"
          about="Letters such as R and P act without Ctrl. Keys inside of a list that has the focus always work."
        >
          <Segments
            label="Single keys"
            options={[
              { value: 'on', text: 'On' },
              { value: 'off', text: 'Off' },
            ]}
            value={letters ? 'on' : 'off'}
            onChange={(next: 'on' | 'off') => setSingleKeys(next === 'on')}
          />
        </SettingLine>
        <DesktopLines />
        <SettingLine
          name="Licences"
          about="Mooring is free under Apache-2.0, and contains packages of others under theirs."
        >
          <Button onClick={() => setShowsNotices(true)}>Show them</Button>
        </SettingLine>
      </ul>
      {showsNotices ? <NoticesDialog onClose={() => setShowsNotices(false)} /> : null}
      <AgentSettings />
    </>
  );
}

function AgentSettings(): ReactElement {
  const { client } = useServices();
  const { data, error, refetch } = useQuery({
    queryKey: ['agent-settings'],
    queryFn: async ({ signal }) => await client.agentSettings({ signal }),
    staleTime: 0,
  });
  return (
    <section className="settings-part" aria-labelledby="agent-settings">
      <h2 id="agent-settings">Limits and retention</h2>
      {data === undefined ? (
        error === null ? (
          <SkeletonRows />
        ) : (
          <LoadError
            what="the settings"
            error={error}
            path={agentUrl()}
            retry="By itself, when the agent answers again."
            onAgain={() => void refetch()}
          />
        )
      ) : (
        <>
          <p className="hint">
            Read when the agent starts, from flags, variables and{' '}
            <span className="mono">{data.configFile}</span>{' '}
            <CopyButton text={data.configFile} what="the path of the configuration" />
          </p>
          <TableCard columns={['Setting', 'Value', 'Flag']}>
            {data.settings.map((setting) => (
              <tr key={setting.name}>
                <th scope="row">{settingName(setting)}</th>
                <td>
                  {settingValue(setting)}
                  {setting.isDefault ? null : <span className="tag">changed</span>}
                </td>
                <td>
                  <span className="mono faint" title={setting.variable}>
                    {setting.flag}
                  </span>
                </td>
              </tr>
            ))}
          </TableCard>
        </>
      )}
    </section>
  );
}
