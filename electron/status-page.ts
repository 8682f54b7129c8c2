// The page shown without an agent: its state, and after a crash the report with the next step. Plain HTML; texts are escaped,
// the script only calls the bridge.
import { failuresMax } from './agent-host.ts';
import type { AgentState, CrashReport } from './ipc-contract.ts';

type WithoutAgent = Exclude<AgentState, { kind: 'ready' }>;

export const statusStyle = `:root { color-scheme: light dark; --line: light-dark(#d0d4da, #3a4048); }
body { font: 15px/1.5 system-ui, sans-serif; margin: 12vh auto; max-width: 44rem; padding: 0 1.5rem;
  background: light-dark(#fff, #16191d); color: light-dark(#1b1f24, #e6e9ed); }
h1 { font-size: 1.25rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
pre { border: 1px solid var(--line); border-radius: 6px; padding: .75rem; max-height: 16rem; overflow: auto;
  font: 12px/1.45 ui-monospace, monospace; white-space: pre-wrap; }
button { font: inherit; padding: .35rem .9rem; margin-right: .5rem; }
`;

export const statusScript = `for (const button of document.querySelectorAll('button[data-act]')) {
  button.addEventListener('click', async () => {
    if (button.dataset.act === 'revive') await window.mooring.reviveAgent();
    if (button.dataset.act === 'copy') {
      await navigator.clipboard.writeText(document.querySelector('#report').innerText);
      button.textContent = 'Copied';
    }
  });
}
`;

export function statusPage(state: WithoutAgent, crash: CrashReport | null): string {
  const { title, cause, next, retry } = explain(state);
  const rows = [
    ['Cause', cause],
    ['Path', crash?.file ?? null],
    ['Next', next],
    ['Retry', retry],
  ] as const;
  const list = rows
    .filter(([, text]) => text !== null)
    .map(([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text ?? '')}</dd>`)
    .join('');
  const lines = crash?.lastLines ?? [];
  const log =
    lines.length === 0
      ? ''
      : `<h2>Last log lines</h2><pre tabindex="0" aria-label="Last log lines">${escapeHtml(lines.join('\n'))}</pre>`;
  const buttons =
    state.kind === 'failed'
      ? '<p><button type="button" data-act="revive">Try again</button>' +
        '<button type="button" data-act="copy">Copy report</button></p>'
      : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mooring</title>
<link rel="stylesheet" href="/shell/status.css"></head>
<body><main id="report"><h1 role="${state.kind === 'failed' ? 'alert' : 'status'}">${escapeHtml(title)}</h1>
<dl>${list}</dl>${log}</main>${buttons}
<script src="/shell/status.js"></script></body></html>
`;
}

interface Explanation {
  readonly title: string;
  readonly cause: string | null;
  readonly next: string | null;
  readonly retry: string | null;
}

const filesAreSafe = 'Files in your folders are safe; changes sync later.';

function explain(state: WithoutAgent): Explanation {
  switch (state.kind) {
    case 'starting':
      return { title: 'Starting Mooring…', cause: null, next: null, retry: null };
    case 'stopped':
      return { title: 'Agent stopped', cause: null, next: filesAreSafe, retry: null };
    case 'restarting':
      return {
        title: 'Restarting the agent…',
        cause: state.reason,
        next: filesAreSafe,
        retry: `Restarting in ${Math.ceil(state.delayMs / 1000)} s (attempt ${state.attempt})`,
      };
    case 'failed':
      return {
        title: 'Agent could not be started',
        cause: state.reason,
        next: `Fix the cause, then select “Try again”. ${filesAreSafe}`,
        retry: `No automatic retry after ${failuresMax} failed attempts.`,
      };
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
