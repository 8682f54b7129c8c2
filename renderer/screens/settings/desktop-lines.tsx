// What only the desktop app can do: start at login, stay in the tray, notify, update itself. In a browser one line says so.
import { type ReactElement, useEffect, useState } from 'react';
import type {
  DesktopChange,
  DesktopState,
  MooringBridge,
  UpdateState,
} from '../../../electron/ipc-contract.ts';
import { desktop } from '../../api/desktop.ts';
import { describeError } from '../../api/services.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Segments } from '../../parts/buttons/segments.tsx';
import { announce } from '../../parts/feedback/announcer.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { SettingLine } from './setting-line.tsx';

export function DesktopLines(): ReactElement {
  const bridge = desktop();
  if (bridge !== null) return <AppLines bridge={bridge} />;
  return (
    <SettingLine
      name="Start at login"
      about={
        <>
          The desktop app can start with the computer. This is a page of a browser: the agent behind it runs
          as long as whoever started it, <span className="mono">mooring serve</span> or the app.
        </>
      }
    />
  );
}

function AppLines({ bridge }: { readonly bridge: MooringBridge }): ReactElement {
  const [state, setState] = useState<DesktopState | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const end = bridge.onDesktopState(setState);
    bridge.desktopState().then(setState, (error: unknown) => setFailure(describeError(error)));
    return end;
  }, [bridge]);
  const change = (wanted: DesktopChange): void => {
    setFailure(null);
    bridge.changeDesktop(wanted).then(setState, (error: unknown) => setFailure(describeError(error)));
  };
  return (
    <>
      {failure === null ? null : (
        <li>
          <p className="hint bad" role="alert">
            {failure}
          </p>
        </li>
      )}
      {state === null ? null : (
        <>
          <SwitchLine
            name="Start at login"
            about="The app starts with the computer, in the tray, and mirrors at once."
            state={state.startAtLogin}
            onChange={(on) => change({ startAtLogin: on })}
          />
          <SwitchLine
            name="Keep running"
            about="Closing the window leaves the app in the tray, and folders in step."
            state={state.keepRunning}
            onChange={(on) => change({ keepRunning: on })}
          />
          <SwitchLine
            name="Notifications"
            about="When something needs you: a mirror halts, a conflict waits, sending failed for good."
            state={state.notifications}
            onChange={(on) => change({ notifications: on })}
          />
          <SettingLine
            name="Secrets of providers"
            about={
              state.secrets.kind === 'system-keychain'
                ? 'Encrypted with a key that the keychain of the system keeps.'
                : `In a file that only this user may read. ${state.secrets.why}`
            }
          />
          <UpdateLine bridge={bridge} state={state.updates} />
        </>
      )}
    </>
  );
}

function SwitchLine({
  name,
  about,
  state,
  onChange,
}: {
  readonly name: string;
  readonly about: string;
  readonly state: { readonly on: boolean; readonly unavailable: string | null };
  readonly onChange: (on: boolean) => void;
}): ReactElement {
  return (
    <SettingLine name={name} about={state.unavailable === null ? about : `${about} ${state.unavailable}`}>
      {state.unavailable === null ? (
        <Segments
          label={name}
          options={[
            { value: 'on', text: 'On' },
            { value: 'off', text: 'Off' },
          ]}
          value={state.on ? 'on' : 'off'}
          onChange={(next: 'on' | 'off') => onChange(next === 'on')}
        />
      ) : null}
    </SettingLine>
  );
}

function UpdateLine({
  bridge,
  state,
}: {
  readonly bridge: MooringBridge;
  readonly state: UpdateState;
}): ReactElement {
  if (state.kind === 'off') return <SettingLine name="Updates" about={state.why} />;
  const busy = state.kind === 'checking' || state.kind === 'downloading';
  return (
    <SettingLine name="Updates" about={<UpdateWords state={state} />}>
      {state.kind === 'downloaded' ? (
        <Button kind="primary" onClick={() => void bridge.installUpdate()}>
          Restart with {state.version}
        </Button>
      ) : (
        <Button
          disabledReason={busy ? 'It is on its way.' : null}
          onClick={() =>
            void bridge.checkForUpdates().catch((error: unknown) => announce(describeError(error)))
          }
        >
          Look for updates
        </Button>
      )}
    </SettingLine>
  );
}

function UpdateWords({ state }: { readonly state: Exclude<UpdateState, { kind: 'off' }> }): ReactElement {
  switch (state.kind) {
    case 'checking':
      return <>Looking for one.</>;
    case 'downloading':
      return (
        <>
          {state.version} is being downloaded: {Math.round(state.percent)} %.
        </>
      );
    case 'downloaded':
      return <>{state.version} is ready. It is installed when the app quits.</>;
    case 'failed':
      return <>The last look failed. {state.cause}</>;
    case 'idle':
      if (state.checkedAt === null) return <>Not looked for yet.</>;
      return (
        <>
          This is the newest one. Looked for <Time at={state.checkedAt} as="ago" />.
        </>
      );
  }
}
