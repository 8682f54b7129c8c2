// Speaks changes of state, once each: a mirror that halts or goes on, the agent that stops or starts answering.
import { useEffect, useRef } from 'react';
import { useLink, workspaceName } from '../api/services.ts';
import { mirrorStatus } from '../model/mirror-view.ts';
import { announce } from '../parts/announcer.tsx';

export function StateSpeaker(): null {
  const { phase, status } = useLink();
  const said = useRef<{ phase: string; words: Map<string, string> } | null>(null);
  useEffect(() => {
    if (status === null) return;
    const words = new Map(status.mirrors.map((mirror) => [mirror.mirrorId, mirrorStatus(mirror).word]));
    const before = said.current;
    said.current = { phase, words };
    if (before === null) return;
    if (before.phase !== phase) {
      announce(phase === 'offline' ? 'The agent does not answer.' : 'The agent answers again.');
    }
    for (const mirror of status.mirrors) {
      const word = words.get(mirror.mirrorId);
      const old = before.words.get(mirror.mirrorId);
      if (word === undefined || old === undefined || old === word) continue;
      // Looking through a folder and catching up come and go with every save.
      if (word === 'Scanning' || word === 'Syncing' || (word === 'Up to date' && /ing$/.test(old))) continue;
      const name = workspaceName(status.workspaces, mirror.workspaceId);
      announce(`${name}: ${word}.${word === 'Halted' ? ' Nothing was deleted.' : ''}`);
    }
  }, [phase, status]);
  return null;
}
