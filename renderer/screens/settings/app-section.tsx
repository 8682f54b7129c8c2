// The app: theme, shortcuts, desktop settings, and the agent's settings.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useObservable } from '../../api/observable.ts';
import { describeError } from '../../api/services.ts';
import { useIsOwner } from '../../api/viewer.ts';
import { setSingleKeys, singleKeys } from '../../keys.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { Segments } from '../../parts/buttons/segments.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { setTheme, type Theme, theme } from '../../theme.ts';
import { AgentSettings } from './agent-settings.tsx';
import { DesktopLines } from './desktop-lines.tsx';
import { SectionHead } from './section-head.tsx';
import { SettingLine, SwitchLine } from './setting-line.tsx';

export function AppSection(): ReactElement {
  const isOwner = useIsOwner();
  const choice = useObservable(theme);
  const hasSingleKeys = useObservable(singleKeys);
  const [showsLicences, setShowsLicences] = useState(false);
  return (
    <>
      <SectionHead title="App" />
      <ul className="setting-lines">
        <SettingLine name="Theme" about="Colours of the page">
          <Segments
            label="Theme"
            options={[
              { value: 'light', text: 'Light' },
              { value: 'dark', text: 'Dark' },
              { value: 'system', text: 'System' },
            ]}
            value={choice}
            onChange={(next: Theme) => setTheme(next)}
          />
        </SettingLine>
        <SwitchLine
          name="Single-letter shortcuts"
          about="Letters such as R and P act without Ctrl. Keys in a focused list always work."
          state={{ on: hasSingleKeys, unavailable: null }}
          onChange={setSingleKeys}
        />
        <DesktopLines />
        <SettingLine
          name="Licences"
          about="Mooring is licensed under Apache-2.0 and contains third-party packages."
        >
          <Button onClick={() => setShowsLicences(true)}>Show licences</Button>
        </SettingLine>
      </ul>
      {showsLicences ? <LicencesDialog onClose={() => setShowsLicences(false)} /> : null}
      {isOwner ? <AgentSettings /> : null}
    </>
  );
}

function LicencesDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { data, error } = useQuery({
    queryKey: ['third-party-notices'],
    queryFn: async () => (await import('../../third-party.ts')).thirdPartyNotices,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Dialog title="Third-party licences" onClose={onClose} wide>
      {data === undefined ? (
        <p className="dialog-body soft">{error === null ? 'Loading…' : describeError(error)}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling regions must be reachable by keyboard
        <section className="dialog-body" tabIndex={0} aria-label="Licences">
          <pre className="code">{data}</pre>
        </section>
      )}
      <div className="dialog-actions">
        {data === undefined ? null : <CopyButton text={data} what="the licences" />}
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
