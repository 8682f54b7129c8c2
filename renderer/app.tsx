// The whole page: signed out, or the shell around one screen.
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactElement, Suspense, useEffect, useState } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import { useObservable } from './api/observable.ts';
import { createServices, type Services, ServicesProvider } from './api/services.ts';
import type { Session } from './api/session.ts';
import { useHashLocation } from './location/app-location.ts';
import { SkeletonRows } from './parts/tables/skeleton-rows.tsx';
import { FirstRunScreen } from './screens/first-run.tsx';
import { screens } from './screens.ts';
import { Shell } from './shell/shell.tsx';
import { SignInPage } from './shell/sign-in-page.tsx';

export function App({ session }: { readonly session: Session }): ReactElement | null {
  const state = useObservable(session.state);
  // The Content-Security-Policy forbids inline styles: base.css contains those that Base UI would inject.
  return (
    <CSPProvider disableStyleElements>
      {state.kind === 'signed-in' ? <SignedIn session={session} /> : <SignInPage state={state} />}
    </CSPProvider>
  );
}

function SignedIn({ session }: { readonly session: Session }): ReactElement | null {
  const [services, setServices] = useState<Services | null>(null);
  useEffect(() => {
    const created = createServices(session);
    created.start();
    setServices(created);
    return () => created.stop();
  }, [session]);
  if (services === null) return null;
  return (
    <ServicesProvider value={services}>
      <QueryClientProvider client={services.queries}>
        <Router hook={useHashLocation} searchHook={useHashLocation.searchHook} hrefs={useHashLocation.hrefs}>
          <Shell>
            <Suspense fallback={<ScreenLoading />}>
              <Switch>
                {screens.map((screen) => (
                  <Route key={screen.id} path={`/${screen.id}/*?`} component={screen.component} />
                ))}
                <Route path="/first-run" component={FirstRunScreen} />
                <Route>
                  <Redirect to="/overview" replace />
                </Route>
              </Switch>
            </Suspense>
          </Shell>
        </Router>
      </QueryClientProvider>
    </ServicesProvider>
  );
}

/** For the moment in which the code of a screen is loaded. */
function ScreenLoading(): ReactElement {
  return (
    <div className="work" aria-busy="true">
      <SkeletonRows />
    </div>
  );
}
