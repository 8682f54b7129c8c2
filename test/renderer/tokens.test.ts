import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the dark theme changes colours and nothing else', () => {
  const tokens = readFileSync(new URL('../../renderer/style/tokens.css', import.meta.url), 'utf8');
  const dark = /:root\[data-theme="dark"\] \{([^}]*)\}/.exec(tokens)?.[1] ?? '';
  const declarations = dark
    .split(';')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  expect(declarations.length).toBeGreaterThan(20);
  const others = declarations.filter(
    (line) => !/^--[a-z0-9-]+: (#[0-9a-f]{6}|rgb\([^)]*\))$/.test(line) && !line.startsWith('--shadow-'),
  );
  expect(others).toEqual(['color-scheme: dark']);
});

test('with reduced motion nothing moves', () => {
  const folder = new URL('../../renderer/style/', import.meta.url);
  const sheets = readdirSync(folder)
    .filter((name) => name.endsWith('.css'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const reduced = /@media \(prefers-reduced-motion: reduce\) \{\n([\s\S]*?)\n\}/g;
  const stopped = sheets
    .flatMap((sheet) => [...sheet.matchAll(reduced)].map(([, rules = '']) => rules))
    .join('\n');
  const rules = sheets.flatMap((sheet) => [
    ...sheet.replaceAll(reduced, '').matchAll(/([^{}]+)\{([^{}]*)\}/g),
  ]);
  const animated = rules
    .filter(([, , body = '']) => /\banimation:/.test(body))
    .map(([, of = '']) => of.trim());
  expect(animated.length).toBeGreaterThan(1);
  expect(animated.filter((selector) => !stopped.includes(selector))).toEqual([]);
  expect(stopped).toContain('animation: none');
  // Transitions take their time from the tokens that are 0 then.
  const transitions = rules.flatMap(([, , body = '']) => [...body.matchAll(/\btransition: ([^;]+);/g)]);
  const times = transitions.map(([, value = '']) => value.replace(/^[a-z-]+ /, ''));
  expect(times.length).toBeGreaterThan(1);
  const known = [...stopped.matchAll(/(--motion-[a-z]+): 0ms;/g)].map(([, name = '']) => `var(${name})`);
  expect(times.filter((time) => !known.some((each) => time.startsWith(each)))).toEqual([]);
});
