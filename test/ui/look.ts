// One look at a state of the page: no finding of axe in one theme or both, nothing that scrolls sideways in both sizes, no icon without
// a name. With UI_PICTURES=1 also a picture in test-results/screens/, for people. The page's theme must be the system's, as it is unless a
// test chose another.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { isLong } from '../support/scale.ts';
import { expect } from './fixtures.ts';

/** A picture costs as much of the processor as the checks, and no test reads it. */
const areTaken = process.env.UI_PICTURES === '1';
const pictures = path.resolve(import.meta.dirname, '../../test-results/screens');
const sizes = [
  { size: 'small', width: 760, height: 560 },
  { size: 'wide', width: 1280, height: 800 },
] as const;

type Theme = 'light' | 'dark';
const themes: readonly Theme[] = ['light', 'dark'];
/** A theme changes colours and nothing else (test/renderer/tokens.test.ts), so these rules alone can tell them apart. */
const rulesOfColour = ['color-contrast', 'link-in-text-block'];
const everyRule = null;

/** `name` names the pictures: `name-light-wide.png`. */
export async function look(page: Page, name: string): Promise<void> {
  await lookIn(page, name, sizes);
}

/** At a state whose layout is that of others: in the size that has less room. */
export async function lookAtState(page: Page, name: string): Promise<void> {
  await lookIn(page, name, [sizes[0]]);
}

/** An analysis costs as much as the walk to what it looks at: one half of the looks has it in either theme, in the long form each in both. */
function themesOf(name: string): readonly Theme[] {
  return isLong || areTaken ? themes : [themeOf(name)];
}

function themeOf(name: string): Theme {
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return sum % 2 === 0 ? 'light' : 'dark';
}

async function lookIn(page: Page, name: string, shown: readonly (typeof sizes)[number][]): Promise<void> {
  const inThemes = themesOf(name);
  const before = page.viewportSize();
  const focused = await page.evaluateHandle(() => document.activeElement);
  for (const [index, { size, ...viewport }] of shown.entries()) {
    await page.setViewportSize(viewport);
    // The other size has the same elements in another layout: its shape is looked at, and in the long form all rules again.
    const isAnalysed = index === shown.length - 1 || isLong;
    for (const [number, theme] of (areTaken || isAnalysed ? inThemes : inThemes.slice(0, 1)).entries()) {
      await page.emulateMedia({ colorScheme: theme });
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      await atRest(page);
      if (isAnalysed) expect(await findings(page, number === 0 ? everyRule : rulesOfColour)).toEqual([]);
      // A theme changes no size.
      if (number === 0) expect(await page.evaluate(faultsOfShape, spillMaxPx)).toEqual([]);
      if (areTaken) await picture(page, `${name}-${theme}-${size}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before !== null) await page.setViewportSize(before);
  // A list that had no room renders its rows with the next frames: a key pressed before reaches no row.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  // What a narrow window hides loses the focus.
  await focused.evaluate((element) => {
    if (document.activeElement === document.body && element instanceof HTMLElement) element.focus();
  });
}

/** At 200 % zoom of a window of 1280 x 800, and on a large display: nothing spills, and nothing scrolls sideways. */
export async function expectFits(page: Page, name: string): Promise<void> {
  for (const [size, width, height] of [
    ['zoomed', 640, 400],
    ['large', 2560, 1440],
  ] as const) {
    await page.setViewportSize({ width, height });
    await atRest(page);
    expect(await page.evaluate(faultsOfShape, spillMaxPx), `${name}, ${size}`).toEqual([]);
    if (areTaken) await picture(page, `${name}-${size}`);
  }
}

async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: path.join(pictures, `${name}.png`) });
}

/** Buttons that stand beside a text reach a little over it, so that they can be hit. */
const spillMaxPx = 8;

/**
 * In the page: what is wider than the place that it has, and so lies over its neighbour or makes the page scroll sideways; and
 * buttons of an icon alone without a name for readers or a tooltip for eyes.
 */
function faultsOfShape(maxPx: number): readonly string[] {
  const begin = (element: Element): string => element.outerHTML.slice(0, 160);
  const { scrollWidth } = document.documentElement;
  const sideways = scrollWidth > window.innerWidth ? [`the page is ${scrollWidth} px wide`] : [];
  const spilled = [...document.querySelectorAll<HTMLElement>('td, th, dd, dt, button, [role="gridcell"]')]
    .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + maxPx)
    .filter((each) => getComputedStyle(each).overflowX === 'visible')
    .map((each) => `${each.scrollWidth} px in ${each.clientWidth}: ${begin(each)}`);
  const cut = [...document.querySelectorAll('main :is(header, [class$="-head"], [class$="-foot"]) button')]
    .filter((each) => each.getBoundingClientRect().right > window.innerWidth)
    .map((each) => `beyond the window: ${begin(each)}`);
  const unnamed = [...document.querySelectorAll('button, a, [role="button"]')]
    .filter((each) => each.textContent.trim() === '')
    .filter((each) => !each.getAttribute('aria-label') || !each.getAttribute('title'))
    .map((each) => `without name or tooltip: ${begin(each)}`);
  return [...sideways, ...spilled, ...cut, ...unnamed];
}

/** No finding of axe on what is shown now, as it is shown now. */
export async function expectAccessible(page: Page): Promise<void> {
  await atRest(page);
  expect(await findings(page, everyRule)).toEqual([]);
}

/** Colours that are on their way to another are no state of the screen. What was given up meanwhile is at rest, too. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((each) => each.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((each) => each.finished),
    ),
  );
}

const axePackage = createRequire(import.meta.resolve('@axe-core/playwright'));
const axeSource = readFileSync(axePackage.resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(context: Document, options: object): Promise<{ readonly violations: readonly Violation[] }>;
}
interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

async function findings(
  page: Page,
  rules: readonly string[] | null,
): Promise<readonly { rule: string; where: readonly string[] }[]> {
  const options = {
    resultTypes: ['violations'] as 'violations'[],
    // A fifth of an analysis: nobody reads the selectors, and one rule alone reads the sheets again (css-orientation-lock; no sheet turns anything).
    selectors: false,
    preload: false,
    ...(rules === null ? {} : { runOnly: { type: 'rule' as const, values: [...rules] } }),
  };
  // It stays in its document, and the next analysis need not bring it again. Brought by hand, for the builder of the package costs
  // a third of the first analysis and does nothing more on a page without frames.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const violations = await page.evaluate(
    async (given) =>
      (await (window as unknown as { axe: Axe }).axe.run(document, given)).violations.map(
        ({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }),
      ),
    options,
  );
  return violations.map(({ id, nodes }) => ({
    rule: id,
    where: nodes.map(({ html }) => html.slice(0, 160)),
  }));
}
