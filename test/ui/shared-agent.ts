// One agent for the tests of a worker, one after the other: starting one costs most of a second of a processor. A test begins
// without workspaces and mirrors and in an empty folder, as with an agent of its own. One that is dead then is replaced; a test that
// needs an agent which no test before it has touched says so (`ownAgent` of fixtures.ts).
import { UiAgent } from './ui-agent.ts';

export class SharedAgent {
  #agent: UiAgent | undefined;

  async take(): Promise<UiAgent> {
    if (this.#agent === undefined) {
      const agent = new UiAgent();
      await agent.start();
      this.#agent = agent;
    }
    return this.#agent;
  }

  /** Clears what a test made. One that a test killed and did not start again is replaced by a new one. */
  async giveBack(): Promise<void> {
    const agent = this.#agent;
    if (agent === undefined) return;
    if (agent.runs) return await agent.clear();
    await this.dispose();
  }

  async dispose(): Promise<void> {
    const agent = this.#agent;
    this.#agent = undefined;
    await agent?.dispose();
  }
}
