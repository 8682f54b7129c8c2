// Commands of the finder: screens, mirrors, settings, themes, workspaces.
import { useLocation } from 'wouter';
import { agentUrl } from '../api/desktop.ts';
import { useHasFeature } from '../api/offer.ts';
import { describeError, useDisabledReason, useServices, useStatus, workspaceName } from '../api/services.ts';
import { type SettingsSection, useSettingsSections } from '../api/settings-sections.ts';
import { filesHref } from '../location/app-location.ts';
import { rememberWorkspace } from '../location/workspace-choice.ts';
import { copyText } from '../parts/buttons/copy.tsx';
import { announce, announceFailure } from '../parts/feedback/answers.ts';
import type { Meaning } from '../parts/feedback/icon.tsx';
import { useScreens } from '../screens.ts';
import { setTheme } from '../theme.ts';
import { usePauseAll } from './pause-all.tsx';

interface Command {
  readonly group: 'Commands';
  readonly id: string;
  readonly icon: Meaning;
  readonly text: string;
  readonly side?: string;
  readonly run: () => void;
}

const group = 'Commands' as const;

/** What a section has besides its name. */
const sectionTexts: Readonly<Partial<Record<SettingsSection, string>>> = {
  browsers: 'Signed-in browsers, sign out',
  users: 'Users, roles and invite links',
  api: 'API address and examples',
  app: 'App, limits and retention',
};

const themes = [
  { id: 'light', text: 'Light theme' },
  { id: 'dark', text: 'Dark theme' },
  { id: 'system', text: 'System theme' },
] as const;

/** Screens first, workspaces last. */
export function useAllCommands(onKeys: () => void): readonly Command[] {
  const [, navigate] = useLocation();
  const commands = useCommands();
  const screens = useScreens();
  const sections = useSettingsSections();
  const hasFolders = useHasFeature('folders');
  const to = (id: string, icon: Meaning, text: string, href: string): Command => ({
    group,
    id,
    icon,
    text,
    run: () => navigate(href),
  });
  return [
    ...screens.map(({ id, icon, name, key }) => ({
      ...to(id, icon, name, `/${id}`),
      side: `G ${key.toUpperCase()}`,
    })),
    ...commands,
    ...(hasFolders ? [to('new-mirror', 'addFolder', 'Mirror a folder…', '/overview?new=mirror')] : []),
    ...sections.map(({ id, name }) =>
      to(`settings-${id}`, 'settings', sectionTexts[id] ?? name, `/settings/${id}`),
    ),
    ...(hasFolders ? [to('first-run', 'mooring', 'Open setup', '/first-run')] : []),
    { group, id: 'keys', icon: 'keyboard', text: 'Keyboard shortcuts', side: '?', run: onKeys },
    ...themes.map(({ id, text }): Command => ({ group, id, icon: id, text, run: () => setTheme(id) })),
    ...(useStatus()?.workspaces ?? []).map(
      ({ workspaceId, name }): Command => ({
        ...to(workspaceId, 'workspace', name, ''),
        side: workspaceId,
        run: () => {
          rememberWorkspace(workspaceId);
          navigate(filesHref(workspaceId, '/', 'dir'));
        },
      }),
    ),
  ];
}

/** Only commands that are available now. */
function useCommands(): readonly Command[] {
  const { client, link } = useServices();
  const disabledReason = useDisabledReason();
  const status = useStatus();
  const pauseAll = usePauseAll();
  const url = status?.url ?? agentUrl();
  const copy: Command = {
    group,
    id: 'copy-api-address',
    icon: 'copy',
    text: 'Copy API address',
    run: () => void copyText(url, 'the API address'),
  };
  if (disabledReason !== null || status === null) return [copy];
  const announceResult = async (done: Promise<unknown>, text: string): Promise<void> => {
    await done.then(
      () => announce(text),
      (error: unknown) => announceFailure(describeError(error)),
    );
    link.tryNow();
  };
  const mirrors = status.mirrors.filter(({ state }) => state !== 'halted');
  return [
    ...(pauseAll === null || mirrors.length < 2
      ? []
      : [
          {
            group,
            id: 'pause-all',
            icon: 'paused' as const,
            text: `${pauseAll.verb} mirrors`,
            run: () => pauseAll.run(),
          },
        ]),
    ...(pauseAll?.verb !== 'Pause all'
      ? []
      : [
          {
            group,
            id: 'pause-all-hour',
            icon: 'paused' as const,
            text: 'Pause mirrors for 1 hour',
            run: () => pauseAll.run(Date.now() + 3_600_000),
          },
        ]),
    ...mirrors.map(({ mirrorId, workspaceId, state }): Command => {
      const name = workspaceName(status.workspaces, workspaceId);
      const isPaused = state === 'paused';
      return {
        group,
        id: `pause ${mirrorId}`,
        icon: isPaused ? 'resume' : 'paused',
        text: `${isPaused ? 'Resume' : 'Pause'} ${name}`,
        run: () =>
          void announceResult(
            isPaused
              ? client.mirrors.resume(workspaceId, mirrorId)
              : client.mirrors.pause(workspaceId, mirrorId),
            `${name} is ${isPaused ? 'resumed' : 'paused'}.`,
          ),
      };
    }),
    copy,
  ];
}
