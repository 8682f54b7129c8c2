// Entry point: signs the page in, and loads the app meanwhile. The app is most of the code: to read it takes longer than the requests
// of the sign-in.
import './style/index.css';
import './theme.ts';
import { agentUrl, desktop, findAgent } from './api/desktop.ts';
import { createSession } from './api/session.ts';

// No `await` outside of the function: the app shares modules with this one, and waits until it was run.
void begin();

async function begin(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  const app = import('./app.tsx');
  await findAgent();
  const bridge = desktop();
  const session = createSession(agentUrl(), bridge === null ? undefined : bridge.signInCode);
  void session.start();
  // Navigation by the tray, a notification or a mooring:// link.
  bridge?.onGo((address) => {
    location.hash = address;
  });
  (await app).showApp(root, session);
}
