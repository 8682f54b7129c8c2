// Long reads go in slices, and this stands between two of them: everything that waits on the event loop comes first.

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
