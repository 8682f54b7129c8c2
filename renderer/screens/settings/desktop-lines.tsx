// Settings of the desktop app: start at login, tray, notifications, updates. In a browser one line explains their absence.
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
import { announceFailure } from '../../parts/feedback/answers.ts';
import { FailureText } from '../../parts/feedback/note.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { SettingLine, SwitchLine } from './setting-line.tsx';

export function DesktopLines(): ReactElement {
  const bridge = desktop();
  if (bridge !== null) return <AppLines bridge={bridge} />;
  return (
    <SettingLine
      name="Start at login"
      about={
        <>
          Available in the desktop app. This page runs in a browser: the agent runs as long as{' '}
          <span className="mono">mooring serve</span> or the desktop app that started it.
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
  const apply = (change: DesktopChange): void => {
    setFailure(null);
    bridge.changeDesktop(change).then(setState, (error: unknown) => setFailure(describeError(error)));
  };
  return (
    <>
      {failure === null ? null : (
        <li>
          <FailureText error={failure} />
        </li>
      )}
      {state === null ? null : (
        <>
          <SwitchLine
            name="Start at login"
            about="The app starts in the tray and syncs immediately."
            state={state.startAtLogin}
            onChange={(on) => apply({ startAtLogin: on })}
          />
          <SwitchLine
            name="Keep running"
            about="The app stays in the tray and keeps syncing when the window is closed."
            state={state.keepRunning}
            onChange={(on) => apply({ keepRunning: on })}
          />
          <SwitchLine
            name="Notifications"
            about="For halted mirrors and remotes, refused tokens, new conflicts and failed operations"
            state={state.notifications}
            onChange={(on) => apply({ notifications: on })}
          />
          <SettingLine
            name="Provider secrets"
            about={
              state.secrets.kind === 'system-keychain'
                ? 'Encrypted with a key in the system keychain'
                : `In a file that only this user can read. ${state.secrets.why}`
            }
          />
          <UpdateLine bridge={bridge} state={state.updates} />
        </>
      )}
    </>
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
    <SettingLine name="Updates" about={<UpdateStatus state={state} />}>
      {state.kind === 'downloaded' ? (
        <Button kind="primary" onClick={() => void bridge.installUpdate()}>
          Restart with {state.version}
        </Button>
      ) : (
        <Button
          disabledReason={busy ? 'Working…' : null}
          onClick={() =>
            void bridge.checkForUpdates().catch((error: unknown) => announceFailure(describeError(error)))
          }
        >
          Check for updates
        </Button>
      )}
    </SettingLine>
  );
}

function UpdateStatus({ state }: { readonly state: Exclude<UpdateState, { kind: 'off' }> }): ReactElement {
  switch (state.kind) {
    case 'checking':
      return <>Checking for updates…</>;
    case 'downloading':
      return (
        <>
          Downloading {state.version}: {Math.round(state.percent)} %
        </>
      );
    case 'downloaded':
      return <>{state.version} is installed when the app quits.</>;
    case 'failed':
      return <>The last check failed. {state.cause}</>;
    case 'idle':
      if (state.checkedAt === null) return <>Not checked yet</>;
      return (
        <>
          Up to date, checked <Time at={state.checkedAt} as="ago" />
        </>
      );
  }
}
