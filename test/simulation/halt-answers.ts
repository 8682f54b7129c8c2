// A person looks at a halted mirror now and then, and has what is missing brought back.
import { errorCode } from '../../server/disk/port/file-system.ts';
import type { AgentLives } from './agent-lives.ts';
import type { Scene } from './scene.ts';

const lookEveryMs = 7000;

export function answerHalts(scene: Scene, agent: AgentLives): void {
  const { scheduler, ledger } = scene;
  scheduler.at(lookEveryMs, 'a person looks at the mirror', () => {
    const life = agent.now;
    const cause = life?.loop.row.haltedCause;
    if (life !== null && cause != null && life.loop.state === 'halted' && !scene.isFolderAway) {
      scene.say(`a person resumes what halted: ${cause}`);
      ledger.restored();
      life.loop.resume().catch((error: unknown) => {
        // Where the agent dies of it, there is nobody left to say so, and what the disk refuses is an answer: the next look resumes again.
        if (life.alive && errorCode(error) === 'EUNKNOWN')
          ledger.violate('A5', `resume failed: ${String(error)}`);
      });
    }
    answerHalts(scene, agent);
  });
}
