// Announces state changes once each: of mirrors, of the progress of long cycles, and of the connection to the agent.
import { useEffect, useRef } from 'react';
import type { Mirror, Workspace } from '../../server/contract/workspaces.ts';
import { useLink, workspaceName } from '../api/services.ts';
import { mirrorStatus, quarterOf } from '../model/mirror/mirror-view.ts';
import { speak } from '../parts/feedback/announcer.tsx';

export function StateAnnouncer(): null {
  const { phase, status } = useLink();
  const announced = useRef<{ phase: string; words: Map<string, string> } | null>(null);
  useProgress(status?.mirrors ?? none, status?.workspaces ?? none);
  useEffect(() => {
    if (status === null) return;
    const words = new Map(status.mirrors.map((mirror) => [mirror.mirrorId, mirrorStatus(mirror).word]));
    const before = announced.current;
    announced.current = { phase, words };
    if (before === null) return;
    if (before.phase !== phase) {
      speak(phase === 'offline' ? 'Agent not responding.' : 'Agent responding again.');
    }
    for (const mirror of status.mirrors) {
      const word = words.get(mirror.mirrorId);
      const old = before.words.get(mirror.mirrorId);
      if (word === undefined || old === undefined || old === word) continue;
      // Scanning and syncing alternate with every save.
      if (word === 'Scanning' || word === 'Syncing' || (word === 'Up to date' && /ing$/.test(old))) continue;
      const name = workspaceName(status.workspaces, mirror.workspaceId);
      speak(`${name}: ${word}.${word === 'Halted' ? ' Nothing was deleted.' : ''}`);
    }
  }, [phase, status]);
  return null;
}

const none: readonly never[] = [];

/** Announces each quarter of the files, never rates. */
function useProgress(mirrors: readonly Mirror[], workspaces: readonly Workspace[]): void {
  const quarters = useRef(new Map<string, number>());
  useEffect(() => {
    for (const mirror of mirrors) {
      const before = quarters.current.get(mirror.mirrorId) ?? 0;
      const now = quarterOf(mirror.progress);
      quarters.current.set(mirror.mirrorId, now);
      if (now > before && now < 4)
        speak(`${workspaceName(workspaces, mirror.workspaceId)}: ${now * 25} % done.`);
    }
  }, [mirrors, workspaces]);
}
