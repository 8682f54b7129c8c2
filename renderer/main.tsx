// Where the page begins: the style, the session from the address, then the app.
import './style/index.css';
import './theme.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { agentUrl } from './api/services.ts';
import { createSession } from './api/session.ts';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
const session = createSession(agentUrl());
void session.start();
createRoot(root).render(
  <StrictMode>
    <App session={session} />
  </StrictMode>,
);
