// The page that is shown while there is no agent: what is going on, and after a crash the report with what can be done.
// Plain HTML that needs nothing else; its words are escaped, its script only presses the buttons of the bridge.
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
  const said =
    lines.length === 0
      ? ''
      : `<h2>What it said last</h2><pre tabindex="0" aria-label="Last lines of the agent">${escapeHtml(lines.join('\n'))}</pre>`;
  const buttons =
    state.kind === 'failed'
      ? '<p><button type="button" data-act="revive">Try again</button>' +
        '<button type="button" data-act="copy">Copy the report</button></p>'
      : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mooring</title>
<link rel="stylesheet" href="/shell/status.css"></head>
<body><main id="report"><h1 role="${state.kind === 'failed' ? 'alert' : 'status'}">${escapeHtml(title)}</h1>
<dl>${list}</dl>${said}</main>${buttons}
<script src="/shell/status.js"></script></body></html>
`;
}

interface Explanation {
  readonly title: string;
  readonly cause: string | null;
  readonly next: string | null;
  readonly retry: string | null;
}

const safe = 'Your folders keep their files, and what changes there meanwhile is picked up later.';

function explain(state: WithoutAgent): Explanation {
  switch (state.kind) {
    case 'starting':
      return { title: 'Mooring is starting.', cause: null, next: null, retry: null };
    case 'stopped':
      return { title: 'The agent is stopped.', cause: null, next: safe, retry: null };
    case 'restarting':
      return {
        title: 'The agent stopped and is being started again.',
        cause: state.reason,
        next: safe,
        retry: `In ${Math.ceil(state.delayMs / 1000)} s, for the ${ordinal(state.attempt)} time.`,
      };
    case 'failed':
      return {
        title: 'The agent could not be started.',
        cause: state.reason,
        next: `Remove the cause, then choose “Try again”. ${safe}`,
        retry: 'None by itself: it was tried several times and ended each time.',
      };
  }
}

function ordinal(number: number): string {
  const words = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
  return words[number - 1] ?? `${number}th`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
