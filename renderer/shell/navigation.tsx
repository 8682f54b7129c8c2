// The main navigation: workspace switcher and screens.
import { Menu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { agentUrl } from '../api/desktop.ts';
import { useHasFeature, useRememberedOffer } from '../api/offer.ts';
import { type PendingWork, totalOf, workspaceWithMost } from '../api/pending-work.ts';
import { mirrorOf, useStatus } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import { filesHref } from '../location/app-location.ts';
import { screenHref } from '../location/screen-location.ts';
import { rememberWorkspace, useChosenWorkspace } from '../location/workspace-choice.ts';
import { count, plural } from '../model/format.ts';
import { mirrorStatus } from '../model/mirror/mirror-view.ts';
import { Icon } from '../parts/feedback/icon.tsx';
import { Status } from '../parts/feedback/status.tsx';
import {
  type Screen,
  type ScreenCount,
  type ScreenGroup,
  screenGroups,
  screens,
  useOfferedScreens,
} from '../screens.ts';

export function Navigation(): ReactElement {
  const [path] = useLocation();
  const status = useStatus();
  const { workspace } = useChosenWorkspace(status?.workspaces ?? []);
  useRememberedOffer();
  const offered = useOfferedScreens();
  const current = (offered ?? screens).find(
    (screen) => path === `/${screen.id}` || path.startsWith(`/${screen.id}/`),
  );
  return (
    <nav className="side" aria-label="Main">
      <WorkspaceSwitcher screenId={current?.scope === 'one' ? current.id : null} />
      {offered === null ? (
        <LinksSkeleton />
      ) : (
        groups.map((group) => (
          <ScreenLinks key={group} group={group}>
            {offered
              .filter((screen) => screen.group === group)
              .map((screen) => (
                <ScreenLink
                  key={screen.id}
                  screen={screen}
                  isCurrent={screen === current}
                  workspaceId={workspace?.workspaceId ?? null}
                  countsAll={current?.scope !== 'one'}
                />
              ))}
          </ScreenLinks>
        ))
      )}
    </nav>
  );
}

/** At the first visit of a session, until the first status: which screens exist is not known yet. Their keys act from the first paint on. */
function LinksSkeleton(): ReactElement {
  const [, navigate] = useLocation();
  useKeys(
    Object.fromEntries(screens.map(({ id, key }) => [`g ${key}`, () => navigate(screenHref(id, null, {}))])),
  );
  return (
    <div className="nav-skeleton" aria-hidden="true">
      {['w1', 'w2', 'w3', 'w4', 'w2'].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <span key={index} className={`skeleton ${width}`} />
      ))}
    </div>
  );
}

const groups = Object.keys(screenGroups) as ScreenGroup[];

function ScreenLinks({
  group,
  children,
}: {
  readonly group: ScreenGroup;
  readonly children: ReactNode;
}): ReactElement {
  const title = screenGroups[group];
  return (
    // biome-ignore lint/a11y/useSemanticElements: links of a navigation, not a form's fieldset
    <div role="group" aria-label={title ?? undefined} className={`nav-links ${group}`}>
      {title === null ? null : (
        <span className="nav-group" aria-hidden="true">
          {title}
        </span>
      )}
      {group === 'foot' ? <DocsLink /> : null}
      {children}
    </div>
  );
}

function DocsLink(): ReactElement {
  return (
    <a href={`${agentUrl()}/docs`} target="_blank" rel="noreferrer" title="Documentation, in a new tab">
      <Icon of="docs" />
      <span className="label">Docs</span>
    </a>
  );
}

/** Counts the workspace of the switcher, or all. The link opens a workspace in which the number is not zero. */
function ScreenLink({
  screen,
  isCurrent,
  workspaceId,
  countsAll,
}: {
  readonly screen: Screen;
  readonly isCurrent: boolean;
  readonly workspaceId: string | null;
  readonly countsAll: boolean;
}): ReactElement {
  const [, navigate] = useLocation();
  const useOpen = screen.count?.useOpen ?? useNoCounts;
  const open = useOpen(countsAll ? null : workspaceId);
  const elsewhere = (open.get(workspaceId ?? '') ?? 0) === 0 ? workspaceWithMost(open) : null;
  const href = screenHref(screen.id, null, { workspace: elsewhere ?? '' });
  useKeys({ [`g ${screen.key}`]: () => navigate(href) });
  return (
    <Link
      href={href}
      title={`${screen.name} (G then ${screen.key.toUpperCase()})`}
      {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
    >
      <Icon of={screen.icon} />
      <span className="label">{screen.name}</span>
      {screen.count === undefined ? null : <NavigationCount of={screen.count} value={totalOf(open)} />}
    </Link>
  );
}

const noCounts: PendingWork = new Map();
const useNoCounts = (): PendingWork => noCounts;

/** `screenId`: the current screen, if it shows one workspace; null: it shows all. */
function WorkspaceSwitcher({ screenId }: { readonly screenId: string | null }): ReactElement {
  const showsAll = screenId === null;
  const status = useStatus();
  const [, navigate] = useLocation();
  const workspaces = status?.workspaces ?? [];
  const mirrors = status?.mirrors ?? [];
  const { workspace } = useChosenWorkspace(workspaces);
  const countOfAll = useHasFeature('folders')
    ? plural(mirrors.length, 'mirror')
    : plural(workspaces.length, 'workspace');
  const shown = showsAll ? null : workspace;
  const name = showsAll ? 'All workspaces' : (workspace?.name ?? 'No workspace');
  const sub = status === null ? '' : shown === null ? countOfAll : plural(shown.files, 'file');
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="switcher" title="Switch workspace">
        <Icon of="workspace" />
        <span className="grow text ellipsis">
          <span className="reader-only">Workspace: </span>
          <b className="ellipsis">{name}</b>
          <span className="sub">{sub}</span>
        </span>
        <span className="arrow">
          <Icon of="choose" small />
        </span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start" className="above">
          <Menu.Popup className="menu">
            <Menu.Item className="menu-item" onClick={() => navigate('/overview')}>
              <Icon of="overview" small />
              <span className="grow">
                All workspaces
                <span className="sub">{countOfAll}</span>
              </span>
            </Menu.Item>
            {workspaces.length === 0 ? null : <Menu.Separator className="menu-line" />}
            {workspaces.map((each) => {
              const mirror = mirrorOf(mirrors, each.workspaceId);
              const state = mirror === undefined ? null : mirrorStatus(mirror);
              return (
                <Menu.Item
                  key={each.workspaceId}
                  className="menu-item"
                  onClick={() => {
                    rememberWorkspace(each.workspaceId);
                    navigate(
                      screenId === null || screenId === 'files'
                        ? filesHref(each.workspaceId, '/', 'dir')
                        : `/${screenId}?workspace=${encodeURIComponent(each.workspaceId)}`,
                    );
                  }}
                >
                  <Icon of="workspace" small />
                  <span className="grow ellipsis">
                    {each.name}
                    <span className="sub">{plural(each.files, 'file')}</span>
                  </span>
                  {state === null ? null : <Status {...state} />}
                </Menu.Item>
              );
            })}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

const shownMax = 999;

function NavigationCount({
  of,
  value,
}: {
  readonly of: ScreenCount;
  readonly value: number;
}): ReactElement | null {
  if (value === 0) return null;
  return (
    <span className={`nav-count ${of.tone}`}>
      <span className="reader-only">, </span>
      {value > shownMax ? `${shownMax}+` : count(value)}
      <span className="reader-only"> {of.unit}</span>
    </span>
  );
}
