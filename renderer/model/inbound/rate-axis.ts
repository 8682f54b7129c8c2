// The axis of a chart of counts. Pure.

/** The lowest of 2, 4, 6, 8, 10, 20, 40, 60 … that is not below `most`: the half of each is a whole number, too. */
export function axisTop(most: number): number {
  if (most <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 4, 6, 8, 10].find((each) => each * power >= most) ?? 10;
  return step * power;
}
