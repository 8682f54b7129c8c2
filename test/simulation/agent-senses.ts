// What one life of the agent has in place of a clock and a logger: the simulated time, and the trace and the judge, who takes an
// error for a broken promise where nothing of the run explains it.
import type { Clock } from '../../server/platform/clock.ts';
import type { Logger } from '../../server/platform/observe/logger.ts';
import type { Scene } from './scene.ts';

/** A delay that an agent waits for never ends once it is dead. */
export function clockOf({ scheduler }: Scene, isAlive: () => boolean): Clock {
  return {
    nowMs: () => Math.floor(scheduler.wallMs),
    monotonicMs: () => scheduler.monotonicMs,
    delay: (delayMs, signal) => {
      if (signal?.aborted === true) return Promise.resolve();
      return new Promise((resolve) => {
        const end = () => {
          cancel();
          signal?.removeEventListener('abort', end);
          if (isAlive()) resolve();
        };
        const cancel = scheduler.at(delayMs, 'timer', end);
        signal?.addEventListener('abort', end);
      });
    },
  };
}

export function loggerOf(scene: Scene, isAlive: () => boolean): Logger {
  const { options, ledger } = scene;
  const say = (level: string) => (fields: object, message: string) => {
    if (!isAlive()) return;
    const error = 'err' in fields && fields.err instanceof Error ? `: ${fields.err.message}` : '';
    scene.say(`${level}: ${message}${error}`);
    const expected = options.refusedOneIn > 0 || options.rootGoesAway;
    const isAlarm = message.includes('nothing listed explains it');
    if (level === 'error' && (!expected || isAlarm || error.includes('come to rest')))
      ledger.violate('A5', `${message}${error}`);
  };
  const quiet = () => undefined;
  const logger: Logger = {
    fatal: say('fatal'),
    error: say('error'),
    warn: say('warn'),
    info: say('info'),
    debug: quiet,
    trace: quiet,
    child: () => logger,
  };
  return logger;
}
