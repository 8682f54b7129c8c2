// The table of screens: id in the address, name, key, icon. Navigation, keys and the finder read it; a new screen is one file
// in screens/ and one row here. Overview, Files and Conflicts are loaded at once, the others when they are shown, or soon after the first status.
import type { ComponentType } from 'react';
import { useOffer } from './api/offer.ts';
import { type PendingWork, usePendingOperations } from './api/pending-work.ts';
import { useRemotesToResolve } from './api/remotes.ts';
import { useRunsToReview } from './api/runs.ts';
import type { Feature } from './api/viewer.ts';
import type { Meaning } from './parts/feedback/icon.tsx';
import { lazyPart } from './parts/lazy-part.ts';
import { useOpenConflicts } from './screens/conflicts/queries.ts';
import { ConflictsScreen } from './screens/conflicts.tsx';
import { useDeadLetterCounts } from './screens/dead-letters/queries.ts';
import { FilesScreen } from './screens/files.tsx';
import { OverviewScreen } from './screens/overview.tsx';

/** Parts of the navigation, in their order; the text is their heading. */
export const screenGroups = { main: null, decide: 'To decide', lookUp: 'Look up', foot: null } as const;
export type ScreenGroup = keyof typeof screenGroups;

export interface Screen {
  /** `#overview` */
  readonly id: string;
  readonly name: string;
  readonly icon: Meaning;
  /** Pressed after `g`. */
  readonly key: string;
  /** Overview shows every workspace, the others one. */
  readonly scope: 'all' | 'one';
  readonly component: ComponentType;
  /** Shown only where the server has it. */
  readonly feature?: Feature;
  /** true: shown to viewers with the rights of the owner alone. */
  readonly ownersOnly?: true;
  readonly count?: ScreenCount;
  /** The part of the navigation; `foot` is at its end. */
  readonly group: ScreenGroup;
}

/** The number beside the name in the navigation. */
export interface ScreenCount {
  readonly tone: 'bad' | 'warn' | 'plain';
  /** Spoken after the number: `open`. */
  readonly unit: string;
  /** A hook: counts of one workspace, or with null of all. Unknown counts are absent. */
  readonly useOpen: (workspaceId: string | null) => PendingWork;
}

/** Those that load the code of a screen, by its id. */
const preloads = new Map<string, () => void>();

/** Loads the code of all screens. */
export function loadScreens(): void {
  for (const preload of preloads.values()) preload();
}

/** Loads the code of a screen while the page signs in. */
export function preloadScreen(id: string): void {
  preloads.get(id)?.();
}

const ActivityScreen = lazyScreen(
  'activity',
  async () => (await import('./screens/activity.tsx')).ActivityScreen,
);
const DeadLettersScreen = lazyScreen(
  'dead-letters',
  async () => (await import('./screens/dead-letters.tsx')).DeadLettersScreen,
);
const OperationsScreen = lazyScreen(
  'operations',
  async () => (await import('./screens/operations.tsx')).OperationsScreen,
);
const SettingsScreen = lazyScreen(
  'settings',
  async () => (await import('./screens/settings.tsx')).SettingsScreen,
);
const WritebackScreen = lazyScreen(
  'writeback',
  async () => (await import('./screens/writeback.tsx')).WritebackScreen,
);
const RunsScreen = lazyScreen('runs', async () => (await import('./screens/runs.tsx')).RunsScreen);
const RemotesScreen = lazyScreen(
  'remotes',
  async () => (await import('./screens/remotes.tsx')).RemotesScreen,
);
const LogsScreen = lazyScreen('logs', async () => (await import('./screens/logs.tsx')).LogsScreen);
const SearchScreen = lazyScreen('search', async () => (await import('./screens/search.tsx')).SearchScreen);

export const screens: readonly Screen[] = [
  {
    id: 'overview',
    name: 'Overview',
    icon: 'overview',
    key: 'o',
    scope: 'all',
    group: 'main',
    component: OverviewScreen,
  },
  {
    id: 'files',
    name: 'Files',
    icon: 'folder',
    key: 'f',
    scope: 'one',
    group: 'main',
    component: FilesScreen,
  },
  {
    id: 'search',
    name: 'Search',
    icon: 'search',
    key: 's',
    scope: 'all',
    group: 'main',
    component: SearchScreen,
  },
  {
    id: 'runs',
    name: 'Runs',
    icon: 'run',
    key: 'r',
    scope: 'one',
    group: 'main',
    component: RunsScreen,
    count: { tone: 'plain', unit: 'to review', useOpen: useRunsToReview },
  },
  {
    id: 'activity',
    name: 'Activity',
    icon: 'activity',
    key: 'a',
    scope: 'one',
    group: 'main',
    component: ActivityScreen,
  },
  {
    id: 'conflicts',
    name: 'Conflicts',
    icon: 'conflict',
    key: 'c',
    scope: 'one',
    group: 'decide',
    feature: 'folders',
    component: ConflictsScreen,
    count: { tone: 'warn', unit: 'open', useOpen: useOpenConflicts },
  },
  {
    id: 'dead-letters',
    name: 'Dead letters',
    icon: 'deadLetter',
    key: 'd',
    scope: 'one',
    group: 'decide',
    component: DeadLettersScreen,
    count: { tone: 'bad', unit: 'open', useOpen: useDeadLetterCounts },
  },
  {
    id: 'writeback',
    name: 'Writeback',
    icon: 'writeback',
    key: 'w',
    scope: 'one',
    group: 'decide',
    ownersOnly: true,
    component: WritebackScreen,
    count: { tone: 'plain', unit: 'pending', useOpen: usePendingOperations },
  },
  {
    id: 'operations',
    name: 'Operations',
    icon: 'operations',
    key: 'p',
    scope: 'one',
    group: 'lookUp',
    component: OperationsScreen,
  },
  {
    id: 'logs',
    name: 'Logs',
    icon: 'log',
    key: 'l',
    scope: 'all',
    group: 'lookUp',
    ownersOnly: true,
    component: LogsScreen,
  },
  {
    id: 'remotes',
    name: 'Remotes',
    icon: 'remote',
    key: 'h',
    scope: 'all',
    group: 'lookUp',
    component: RemotesScreen,
    feature: 'remotes',
    count: { tone: 'bad', unit: 'to resolve', useOpen: useRemotesToResolve },
  },
  {
    id: 'settings',
    name: 'Settings',
    icon: 'settings',
    key: ',',
    scope: 'all',
    group: 'foot',
    component: SettingsScreen,
  },
];

/** Those that this server has and that the viewer may use. null: not known yet. */
export function useOfferedScreens(): readonly Screen[] | null {
  const offer = useOffer();
  if (offer === null) return null;
  return screens.filter(
    ({ feature, ownersOnly }) =>
      (feature === undefined || offer.features.includes(feature)) &&
      (ownersOnly === undefined || offer.isOwner),
  );
}

/** All while they are not known, so that no address and no key is refused that exists. */
export function useScreens(): readonly Screen[] {
  return useOfferedScreens() ?? screens;
}

/** Loaded when it is shown first, or with all others (`loadScreens`). */
function lazyScreen(id: string, load: () => Promise<ComponentType>): ComponentType {
  const { Part, preload } = lazyPart(load);
  preloads.set(id, preload);
  return Part;
}
