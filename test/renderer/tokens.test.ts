import { readFileSync } from 'node:fs';
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
