// The options of a test that kills at random moments or makes random inputs: a loss that a second run does not show was found by the first.

/** `npm test` does not run it again. */
export const runOnce = { retry: 0 } as const;
