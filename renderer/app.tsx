// The whole page: signed out, or the shell around one screen.
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactElement, StrictMode, Suspense, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Link, Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { useObservable } from './api/observable.ts';
import { useHasFeature } from './api/offer.ts';
import { preloadFailures } from './api/pending-work.ts';
import { createServices, type Services, ServicesProvider } from './api/services.ts';
import type { Session } from './api/session.ts';
import { useIsOwner } from './api/viewer.ts';
import { screenInAddress, useHashLocation } from './location/app-location.ts';
import { ErrorBoundary } from './parts/feedback/error-boundary.tsx';
import { SkeletonRows } from './parts/tables/skeleton-rows.tsx';
import { preloadFiles, preloadFileView } from './screens/files/preload.ts';
import { FirstRunScreen } from './screens/first-run.tsx';
import { preloadScreen, screens, useScreens } from './screens.ts';
import { Frame } from './shell/frame.tsx';
import { Shell } from './shell/shell.tsx';
import { SignInPage } from './shell/sign-in-page.tsx';

export function showApp(root: HTMLElement, session: Session): void {
  preloadScreen(screenInAddress());
  preloadFileView();
  createRoot(root).render(
    <StrictMode>
      <App session={session} />
    </StrictMode>,
  );
}

function App({ session }: { readonly session: Session }): ReactElement | null {
  const state = useObservable(session.state);
  // The Content-Security-Policy forbids inline styles: base.css contains those that Base UI would inject.
  return (
    <CSPProvider disableStyleElements>
      {state.kind === 'signed-in' ? (
        <SignedIn key={state.sessionId} session={session} />
      ) : state.kind === 'signing-in' ? (
        <Frame />
      ) : (
        <SignInPage state={state} />
      )}
    </CSPProvider>
  );
}

function SignedIn({ session }: { readonly session: Session }): ReactElement | null {
  const [services, setServices] = useState<Services | null>(null);
  useEffect(() => {
    const created = createServices(session);
    preloadFiles(created);
    // An empty address is that of Overview.
    if (['', 'overview'].includes(screenInAddress())) preloadFailures(created);
    created.start();
    setServices(created);
    return () => created.stop();
  }, [session]);
  if (services === null) return <Frame />;
  return (
    <ServicesProvider value={services}>
      <QueryClientProvider client={services.queries}>
        <Router hook={useHashLocation} searchHook={useHashLocation.searchHook} hrefs={useHashLocation.hrefs}>
          <Shell>
            <Screens />
          </Shell>
        </Router>
      </QueryClientProvider>
    </ServicesProvider>
  );
}

function Screens(): ReactElement {
  const offered = useScreens();
  const hasFolders = useHasFeature('folders');
  const [path] = useLocation();
  const id = path.split('/', 2)[1] ?? '';
  return (
    <ErrorBoundary resetKey={id} heading={screens.find((screen) => screen.id === id)?.name ?? 'Mooring'}>
      <Suspense fallback={<ScreenLoading />}>
        <Switch>
          {screens.map((screen) => (
            <Route
              key={screen.id}
              path={`/${screen.id}/*?`}
              component={offered.includes(screen) ? screen.component : NotOffered}
            />
          ))}
          {hasFolders ? <Route path="/first-run" component={FirstRunScreen} /> : null}
          <Route>
            <Redirect to="/overview" replace />
          </Route>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}

/** The address of a screen that the viewer does not have: of a bookmark, or a link that another viewer sent. */
function NotOffered(): ReactElement {
  const isOwner = useIsOwner();
  return (
    <div className="empty">
      <h1 className="reader-only">Not available</h1>
      <h2>Not available here</h2>
      <p>
        A hub keeps no folders and has no remotes: the desktops that connect to it show theirs.
        {isOwner ? '' : ' Logs and writeback are for the owner of the hub.'}
      </p>
      <Link href="/overview">Open Overview</Link>
    </div>
  );
}

/** For the moment in which the code of a screen is loaded. */
function ScreenLoading(): ReactElement {
  return (
    <div className="work screen-loading" aria-busy="true">
      <SkeletonRows />
    </div>
  );
}
