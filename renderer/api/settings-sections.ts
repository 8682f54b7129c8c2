// The sections of Settings that this server has and that the viewer may use, in their order.
import { useHasFeature, useOffer } from './offer.ts';
import { useViewer } from './viewer.ts';

export type SettingsSection =
  | 'account'
  | 'workspaces'
  | 'users'
  | 'tokens'
  | 'browsers'
  | 'providers'
  | 'api'
  | 'app'
  | 'diagnostics';

export interface OfferedSection {
  readonly id: SettingsSection;
  readonly name: string;
}

export function useSettingsSections(): readonly OfferedSection[] {
  const isUser = useViewer()?.user !== undefined;
  const isOwner = useOffer()?.isOwner === true;
  const hasUsers = useHasFeature('users');
  const hasFolders = useHasFeature('folders');
  const offered: readonly (OfferedSection | false)[] = [
    isUser && { id: 'account', name: 'Your account' },
    { id: 'workspaces', name: hasFolders ? 'Workspaces and mirrors' : 'Workspaces' },
    hasUsers && { id: 'users', name: 'Users' },
    { id: 'tokens', name: 'Access tokens' },
    { id: 'browsers', name: 'Signed-in browsers' },
    isOwner && { id: 'providers', name: 'Providers' },
    { id: 'api', name: 'API' },
    { id: 'app', name: 'App' },
    isOwner && { id: 'diagnostics', name: 'Diagnostics' },
  ];
  return offered.filter((section) => section !== false);
}
