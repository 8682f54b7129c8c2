// Entry point: styles, theme, session, app.
import './style/index.css';
import './theme.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { agentUrl, desktop, findAgent } from './api/desktop.ts';
import { createSession } from './api/session.ts';
import { App } from './app.tsx';
import { screenInAddress } from './location/app-location.ts';
import { preloadFileView } from './screens/files/preload.ts';
import { preloadScreen } from './screens.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
await findAgent();
const bridge = desktop();
const session = createSession(agentUrl(), bridge === null ? undefined : bridge.signInCode);
void session.start();
preloadScreen(screenInAddress());
preloadFileView();
// Navigation by the tray, a notification or a mooring:// link.
bridge?.onGo((address) => {
  location.hash = address;
});
createRoot(root).render(
  <StrictMode>
    <App session={session} />
  </StrictMode>,
);
