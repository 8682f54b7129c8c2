// Settings: account, workspaces and mirrors, users, tokens, browsers, providers, API, app, diagnostics. Changes apply immediately. The address contains
// the section: `#settings/tokens`.
import type { ComponentType, ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import { useStatus } from '../api/services.ts';
import { type SettingsSection, useSettingsSections } from '../api/settings-sections.ts';
import { useKeys } from '../keys.ts';
import { useScreenLocation } from '../location/screen-location.ts';
import { SkeletonRows } from '../parts/tables/skeleton-rows.tsx';
import { AccountSection } from './settings/account-section.tsx';
import { ApiSection } from './settings/api-section.tsx';
import { AppSection } from './settings/app-section.tsx';
import { BrowsersSection } from './settings/browsers-section.tsx';
import { DiagnosticsSection } from './settings/diagnostics-section.tsx';
import { ProvidersSection } from './settings/providers-section.tsx';
import { TokensSection } from './settings/tokens-section.tsx';
import { UsersSection } from './settings/users/users-section.tsx';
import { WorkspacesSection } from './settings/workspaces/workspaces-section.tsx';

const components: Readonly<Record<SettingsSection, ComponentType>> = {
  account: AccountSection,
  workspaces: WorkspacesSection,
  users: UsersSection,
  tokens: TokensSection,
  browsers: BrowsersSection,
  providers: ProvidersSection,
  api: ApiSection,
  app: AppSection,
  diagnostics: DiagnosticsSection,
};

export function SettingsScreen(): ReactElement {
  const location = useScreenLocation('settings');
  const [, navigate] = useLocation();
  const status = useStatus();
  const sections = useSettingsSections();
  const section = sections.find((each) => each.id === location.selected) ??
    sections[0] ?? { id: 'workspaces', name: 'Workspaces' };
  useKeys(
    Object.fromEntries(
      sections.map((each, index) => [String(index + 1), () => navigate(`/settings/${each.id}`)]),
    ),
  );
  const SectionContent = components[section.id];
  return (
    <div className="settings">
      <nav className="settings-nav" aria-label="Settings">
        {sections.map((each, index) => (
          <Link
            key={each.id}
            href={`/settings/${each.id}`}
            title={`${each.name} (${index + 1})`}
            {...(each === section ? { 'aria-current': 'page' as const } : {})}
          >
            {each.name}
          </Link>
        ))}
      </nav>
      <div className="settings-page" key={section.id}>
        {status === null ? (
          <>
            <h1 className="reader-only">{section.name}</h1>
            <SkeletonRows />
          </>
        ) : (
          <SectionContent />
        )}
      </div>
    </div>
  );
}
