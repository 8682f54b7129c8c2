// Turns the table of layers.cjs into rules for dependency-cruiser. test/architecture.test.ts runs them; by hand:
//   npx depcruise --config build/dependency-cruiser.cjs server sdk electron renderer
const { builtinModules } = require('node:module');
const { rows } = require('./layers.cjs');

/** @typedef {import('./layers.cjs').Row} Row */

/** @param {string} text */
const escapeRegExp = (text) => text.replace(/[.+?^${}()|[\]\\/]/g, '\\$&');

/** @param {string} name a package, or `@scope/*` */
function packagePattern(name) {
  const inside = escapeRegExp(name).replace('*', '[^/]+');
  const typesName = escapeRegExp(name.replace(/^@([^/]+)\//, '$1__')).replace('*', '[^/]+');
  return `(^|/)node_modules/(${inside}|@types/${typesName})(/|$)`;
}

/** @param {string[] | 'any' | undefined} modules */
function nodePatterns(modules) {
  if (modules === undefined) return [];
  const names = modules === 'any' ? builtinModules.filter((name) => !name.startsWith('_')) : modules;
  return names.map((name) => `^(node:)?${escapeRegExp(name)}$`);
}

/** @param {Row} row @returns {Row[]} the row and the one that it adds to */
function withBase(row) {
  const base = rows.find((other) => other.name === row.adds);
  return base === undefined ? [row] : [row, base];
}

/** @param {Row} row */
function rulesOf(row) {
  const all = withBase(row);
  const values = all.flatMap((one) => [
    ...(one.local ?? []),
    ...(one.npm ?? []).map(packagePattern),
    ...nodePatterns(one.node),
  ]);
  const types = all.flatMap((one) => [...(one.localTypes ?? []), ...nodePatterns(one.nodeTypes)]);
  const narrower = rows.filter((other) => other.adds === row.name).map((other) => other.from);
  const from = { path: row.from, ...(narrower.length === 0 ? {} : { pathNot: narrower }) };
  /** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
  const rules = [
    {
      name: `${row.name}-imports-only-its-row`,
      comment: `build/layers.cjs says what ${row.name} may import, and this is not in it.`,
      severity: 'error',
      from,
      to: { pathNot: [...values, ...types] },
    },
  ];
  if (types.length > 0) {
    rules.push({
      name: `${row.name}-imports-types-only`,
      comment: `${row.name} may import types from here (import type), and nothing that runs.`,
      severity: 'error',
      from,
      to: { path: types, pathNot: values, dependencyTypesNot: ['type-only'] },
    });
  }
  return rules;
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...rows.flatMap(rulesOf),
    {
      name: 'every-file-has-a-row',
      comment: 'A new folder needs a row in build/layers.cjs.',
      severity: 'error',
      from: { path: '^(server|sdk|electron|renderer)/', pathNot: rows.map((row) => row.from) },
      to: {},
    },
    {
      name: 'nothing-imports-test-or-build',
      comment: 'What ships must not need what builds or tests it.',
      severity: 'error',
      from: { path: '^(server|sdk|electron|renderer)/' },
      to: { path: '^(test|build)/' },
    },
    {
      name: 'build-does-not-import-test',
      severity: 'error',
      from: { path: '^build/' },
      to: { path: '^test/' },
    },
    {
      name: 'mcp-is-loaded-on-demand',
      comment:
        'The packages of MCP take memory and time at the start: an agent without MCP clients does not load them.',
      severity: 'error',
      from: { path: '^(server|electron)/', pathNot: '^server/mcp/' },
      to: {
        path: '^server/mcp/(http-endpoint|stdio|server-factory|resources|resource-updates)\\.ts$',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-circles',
      comment: 'Not even of types: two files that need each other are one, or lack a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|out|\\.vite|coverage|test-results)/' },
    // Types count: an `import type` of a forbidden folder is an arrow too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types', 'typings'],
      extensions: ['.ts', '.tsx', '.d.ts', '.mjs', '.cjs', '.js', '.json'],
    },
  },
};
