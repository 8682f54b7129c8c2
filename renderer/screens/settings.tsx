// Settings: workspaces and mirrors, tokens, browsers, providers, API, app, diagnostics. Changes apply immediately. The address contains
// the section: `#settings/tokens`.
import type { ComponentType, ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import { useStatus } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import { useScreenLocation } from '../location/screen-location.ts';
import { SkeletonRows } from '../parts/tables/skeleton-rows.tsx';
import { ApiSection } from './settings/api-section.tsx';
import { AppSection } from './settings/app-section.tsx';
import { BrowsersSection } from './settings/browsers-section.tsx';
import { DiagnosticsSection } from './settings/diagnostics-section.tsx';
import { ProvidersSection } from './settings/providers-section.tsx';
import { TokensSection } from './settings/tokens-section.tsx';
import { WorkspacesSection } from './settings/workspaces/workspaces-section.tsx';

interface Section {
  readonly id: string;
  readonly name: string;
  readonly component: ComponentType;
}

const first: Section = { id: 'workspaces', name: 'Workspaces and mirrors', component: WorkspacesSection };
const sections: readonly Section[] = [
  first,
  { id: 'tokens', name: 'Access tokens', component: TokensSection },
  { id: 'browsers', name: 'Signed-in browsers', component: BrowsersSection },
  { id: 'providers', name: 'Providers', component: ProvidersSection },
  { id: 'api', name: 'API', component: ApiSection },
  { id: 'app', name: 'App', component: AppSection },
  { id: 'diagnostics', name: 'Diagnostics', component: DiagnosticsSection },
];

export function SettingsScreen(): ReactElement {
  const location = useScreenLocation('settings');
  const [, navigate] = useLocation();
  const status = useStatus();
  const section = sections.find((each) => each.id === location.selected) ?? first;
  useKeys(
    Object.fromEntries(
      sections.map((each, index) => [String(index + 1), () => navigate(`/settings/${each.id}`)]),
    ),
  );
  const SectionContent = section.component;
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
