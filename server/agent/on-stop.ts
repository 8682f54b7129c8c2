// How a part of the agent says what ends it.

/** Registers how a part is stopped; parts stop in the reverse order. */
export type OnStop = (name: string, stop: () => void | Promise<void>) => void;
