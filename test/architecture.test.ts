// The house rules that no compiler checks: who may import whom, what the package files may say, and that
// nothing in git tells of the machine that it was written on.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import { describe, expect, it } from 'vitest';
import rules from '../build/dependency-cruiser.cjs';
import layers from '../build/layers.cjs';
import { tempFolder } from './support/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '..');
const sourceFolders = ['server', 'sdk', 'electron', 'renderer', 'build', 'test'];
const sourceFiles = '**/*.{ts,tsx,mjs,cjs}';

function filesOf(folder: string): string[] {
  return globSync(`${folder}/${sourceFiles}`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}

async function cruiseFolders(baseDir: string, folders: readonly string[]): Promise<ICruiseResult> {
  const options: ICruiseOptions = {
    ...rules.options,
    ruleSet: { forbidden: rules.forbidden ?? [] },
    validate: true,
    baseDir,
  };
  const { output } = await cruise([...folders], options);
  if (typeof output === 'string') throw new Error('dependency-cruiser answered with text');
  return output;
}

function violationsOf(result: ICruiseResult): string[] {
  return result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).sort();
}

describe('the import rule', () => {
  const present = sourceFolders.filter((folder) => filesOf(folder).length > 0);
  const cruised = cruiseFolders(root, present);

  it('is kept by every file', async () => {
    expect(violationsOf(await cruised)).toEqual([]);
  });

  it('was checked on every source file there is', async () => {
    const seen = new Set((await cruised).modules.map((module) => module.source));
    const files = present.flatMap(filesOf);
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => !seen.has(file))).toEqual([]);
  });

  it('catches each kind of forbidden import', async () => {
    const folder = tempFolder('mooring-imports');
    const plant = (file: string, text: string) => {
      mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    };
    plant('server/contract/words.ts', 'export const word = 1; export type Word = number;');
    plant(
      'server/store/port/rows.ts',
      "import type { Word } from '../../contract/words.ts'; export const row: Word = 1;",
    );
    plant('server/store/tables/files/file.ts', "import '../../port/rows.ts'; export const file = 1;");
    plant('server/store/tables/workspaces/climbs.ts', "import '../files/file.ts';");
    plant('server/core/change/reads-disk.ts', "import 'node:fs';");
    plant(
      'server/core/change/runs-contract.ts',
      "import { word } from '../../contract/words.ts'; export const a = word;",
    );
    plant(
      'server/core/change/uses-types.ts',
      "import type { Word } from '../../contract/words.ts'; export const b: Word = 1;",
    );
    plant(
      'server/core/change/knows-store.ts',
      "import type { row } from '../../store/port/rows.ts'; export type Row = typeof row;",
    );
    plant(
      'server/http/base/skips-a-layer.ts',
      "import { row } from '../../store/port/rows.ts'; export const c = row;",
    );
    plant('server/auth/own-database.ts', "import 'better-sqlite3';");
    plant('server/mirror/state/one.ts', "import { two } from './two.ts'; export const one = () => two;");
    plant('server/mirror/state/two.ts', "import { one } from './one.ts'; export const two = () => one;");
    plant('server/mirror/state/climbs.ts', "import '../loop/loop.ts';");
    plant('server/mirror/loop/loop.ts', "import '../state/two.ts';");
    plant('server/http/base/knows-the-loop.ts', "import '../../mirror/loop/loop.ts';");
    plant('server/novelty/thing.ts', "import '../contract/words.ts';");
    plant('server/cli/commands/status.ts', "import '../../agent.ts';");
    plant(
      'server/cli/shared/run-agent.ts',
      "import '../../agent.ts'; import '../../platform/config/config.ts';",
    );
    plant('server/agent.ts', "import './store/port/rows.ts';");
    plant('server/platform/config/config.ts', "import 'node:fs';");
    plant('sdk/client.ts', "import '../test/support/help.ts';");
    plant('test/support/help.ts', 'export const help = 1;');

    const found = violationsOf(await cruiseFolders(folder, ['server', 'sdk', 'test']));
    expect(found).toEqual([
      'auth-imports-only-its-row: server/auth/own-database.ts -> better-sqlite3',
      'cli-imports-only-its-row: server/cli/commands/status.ts -> server/agent.ts',
      'core/change-imports-only-its-row: server/core/change/knows-store.ts -> server/store/port/rows.ts',
      'core/change-imports-only-its-row: server/core/change/reads-disk.ts -> fs',
      'core/change-imports-types-only: server/core/change/runs-contract.ts -> server/contract/words.ts',
      'every-file-has-a-row: server/novelty/thing.ts -> server/contract/words.ts',
      'http/base-imports-only-its-row: server/http/base/knows-the-loop.ts -> server/mirror/loop/loop.ts',
      'http/base-imports-only-its-row: server/http/base/skips-a-layer.ts -> server/store/port/rows.ts',
      'mirror/state-imports-only-its-row: server/mirror/state/climbs.ts -> server/mirror/loop/loop.ts',
      'no-circles: server/mirror/state/one.ts -> server/mirror/state/two.ts',
      'nothing-imports-test-or-build: sdk/client.ts -> test/support/help.ts',
      'resolvable: server/auth/own-database.ts -> better-sqlite3',
      'sdk-imports-only-its-row: sdk/client.ts -> test/support/help.ts',
      'store/tables/workspaces-imports-only-its-row: server/store/tables/workspaces/climbs.ts -> server/store/tables/files/file.ts',
    ]);
  });
});

describe('the store by capability', () => {
  /** Types of the port that only these files may name: what writes content, and the whole store. */
  const allowedFiles: Readonly<Record<string, RegExp>> = {
    ContentWriter: /^server\/(store\/|workspaces\/(service|forks)\.ts$)/,
    Store: /^server\/(store\/|agent\/|agent\.ts$)/,
  };
  const namedIn = (file: string, text: string) =>
    Object.entries(allowedFiles).flatMap(([type, allowed]) =>
      new RegExp(`(import|export)[^;]*[{ ,]${type}[ ,}][^;]*store/port/`).test(text) && !allowed.test(file)
        ? [`${file} names ${type}`]
        : [],
    );

  it('gives the writing of content to the workspace services alone, and the whole store to no service', () => {
    const files = filesOf('server');
    expect(files.length).toBeGreaterThan(300);
    expect(files.flatMap((file) => namedIn(file, readFileSync(path.join(root, file), 'utf8')))).toEqual([]);
  });

  it('catches a service that names one of them', () => {
    const planted = "import type { ContentWriter, EventRow } from '../store/port/content.ts';";
    expect(namedIn('server/inbound/planted.ts', planted)).toEqual([
      'server/inbound/planted.ts names ContentWriter',
    ]);
    expect(namedIn('server/workspaces/forks.ts', planted)).toEqual([]);
    const whole = "import type { EventRow, Store } from '../../store/port/store.ts';";
    expect(namedIn('server/mirror/loop/planted.ts', whole)).toEqual([
      'server/mirror/loop/planted.ts names Store',
    ]);
    expect(namedIn('server/agent/planted.ts', whole)).toEqual([]);
  });
});

describe('the way to a mirrored folder', () => {
  /** What may reach a disk by a path, and why no link in a mirrored folder can lead it elsewhere. */
  const mayUsePaths: Readonly<Record<string, string>> = {
    'server/disk/root/cloud-facts.ts':
      'reads settings of other programs, and names beside a folder that is not mirrored yet; opens no file of it',
    'server/disk/copy/copied-list.ts':
      'reads and writes a list in the data directory, outside of every folder',
    'server/disk/copy/copy-thread.ts': 'the free space of a disk',
    'server/disk/port/directory-handles.ts': 'opens one directory after the other, none through a link',
    'server/disk/port/node-file-system.ts': 'is given paths by confined-file-system alone',
    'server/disk/root/new-folder.ts':
      'lists names, sizes and ignore rules of a folder that is not mirrored yet; follows no link below it, writes nothing',
    'server/disk/root/local-disk.ts': 'asks for the type of the disk of the root',
    'server/disk/watch/directory-watches.ts': 'watches, where a wrong hint only costs a scan',
    'server/disk/root/nested-roots.ts': 'lists directories that directory-handles opened',
    'server/disk/root/root.ts': 'makes the root that a person named, before it is one',
    'server/disk/watch/chokidar-watcher.ts': 'watches, where a wrong hint only costs a scan',
    'server/disk/watch/inotify-watcher.ts':
      'watches, where a wrong hint only costs a scan; lists directories to watch them',
    'server/disk/watch/watcher.ts': 'reads the limit of watches from /proc/sys',
  };
  const importsOf = (file: string) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/from '([^']+)'/g)].map(
      ([, from]) => from ?? '',
    );
  const files = ['server/disk', 'server/mirror'].flatMap(filesOf);

  it('is taken by no file that could follow a path by itself', () => {
    expect(files.length).toBeGreaterThan(80);
    const users = files.filter((file) => importsOf(file).some((from) => /^(?:node:)?fs(?:\/|$)/.test(from)));
    expect(users.sort()).toEqual(Object.keys(mayUsePaths).sort());
  });

  it('leads through the confined file system', () => {
    const users = filesOf('server').filter((file) =>
      importsOf(file).some((from) => from.endsWith('/node-file-system.ts')),
    );
    expect(users).toEqual(['server/disk/port/confined-file-system.ts']);
  });
});

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

describe('the packages', () => {
  const packageJson = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Record<string, string>;
    readonly devDependencies: Record<string, string>;
    readonly optionalDependencies?: Record<string, string>;
  };

  it('are pinned to exact versions', () => {
    const { dependencies, devDependencies, optionalDependencies = {} } = packageJson;
    const loose = [dependencies, devDependencies, optionalDependencies]
      .flatMap((group) => Object.entries(group))
      .filter(([, version]) => !/^(npm:[@\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
    expect(loose).toEqual([]);
  });

  it('are locked without download addresses', () => {
    const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
      readonly packages: Record<string, { readonly resolved?: string }>;
    };
    const addressed = Object.entries(lock.packages).filter(([, entry]) => entry.resolved !== undefined);
    expect(addressed).toEqual([]);
  });

  it('that run with the agent are each filed under exactly one folder of the import rule', () => {
    const filed = [
      ...new Set(
        layers.rows.flatMap((row) => (row.npm ?? []).map((name) => `${row.name.split('/')[0]} ${name}`)),
      ),
    ].map((filing) => filing.split(' ')[1] ?? '');
    const rowsOf = (name: string) =>
      filed.filter(
        (entry) => entry === name || (entry.endsWith('/*') && name.startsWith(entry.slice(0, -1))),
      );
    expect(filed.filter((entry, index) => filed.indexOf(entry) !== index)).toEqual([]);
    expect(Object.keys(packageJson.dependencies).filter((name) => rowsOf(name).length !== 1)).toEqual([]);
  });
});

describe('the tables that say where a thing is', () => {
  /** Names in backticks of the table rows, column by column. */
  function rowsOf(document: string, heading: string): string[][][] {
    const text = readFileSync(path.join(root, document), 'utf8').split(`## ${heading}`)[1] ?? '';
    const lines = text.split('\n## ')[0]?.split('\n') ?? [];
    return lines
      .filter((line) => line.startsWith('| ') && line.includes('`'))
      .map((line) =>
        line
          .split('|')
          .slice(1)
          .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')),
      );
  }
  const isThere = (...places: readonly string[]) =>
    places.some((place) => existsSync(path.join(root, place)));

  it('name files that are there', () => {
    const tables = ['Where is …?', 'Where a thing happens'].map((heading) =>
      rowsOf('ARCHITECTURE.md', heading),
    );
    expect(tables[0]).toHaveLength(12);
    const named = tables.flat().flatMap((cells) => cells.slice(1).flat());
    const files = named.filter((name) => /^[\w./-]+\.(ts|tsx|md)$/.test(name));
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((name) => !isThere(name, `server/${name}`))).toEqual([]);
  });

  it('give each sync rule an implementation and a test', () => {
    const rules = readFileSync(path.join(root, 'docs/sync-rules.md'), 'utf8')
      .split(/^### (?=\d+\. )/m)
      .slice(1);
    expect(rules.length).toBeGreaterThanOrEqual(24);
    for (const rule of rules) {
      const name = rule.split('\n')[0] ?? '';
      if (rule.includes('Not implemented')) continue;
      const namesAfter = (label: string) => {
        const text = rule.split(`${label}:`)[1]?.split(/\.(?:\s{2})?\n/)[0] ?? '';
        return [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
      };
      const [files, tests] = [namesAfter('Implementation'), namesAfter('Tests')];
      expect(files.length, name).toBeGreaterThan(0);
      expect(files.filter((file) => !isThere(`server/${file}`))).toEqual([]);
      expect(tests.length, name).toBeGreaterThan(0);
      expect(tests.filter((file) => !isThere(`test/${file}.test.ts`))).toEqual([]);
    }
  });
});

describe('what git holds', () => {
  const binary = /\.(png|ico|icns|woff2|tar|gz|node)$/;
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && !binary.test(file));

  function filesWith(pattern: RegExp): string[] {
    return tracked.flatMap((file) => {
      let text: string;
      try {
        text = readFileSync(path.join(root, file), 'utf8');
      } catch (error) {
        // Deleted in the work tree, or a folder behind a link: not there to be read.
        if (['ENOENT', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
        throw error;
      }
      return text
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : []));
    });
  }

  it('names no folder of the machine that it was written on', () => {
    const machinePaths = [root, homedir()]
      .filter((folder) => folder !== '/' && folder !== '')
      .map(escapeRegExp);
    // Examples name people who do not exist.
    const person = '(?!(?:ann|you)(?![\\w-]))[A-Za-z][\\w-]*';
    const ofPeople = [`/home/${person}`, `/Users/${person}`, `[A-Za-z]:\\\\Users\\\\${person}`];
    const pattern = new RegExp(`(?<![\\w./~})-])(${[...machinePaths, ...ofPeople].join('|')})(?![\\w-])`);
    expect(filesWith(pattern)).toEqual([]);
  });

  it('names no package registry', () => {
    expect(filesWith(/https?:\/\/[\w.-]*(registry|artifactory|nexus|verdaccio)[\w.-]*/)).toEqual([]);
  });
});

describe('the folders', () => {
  it('each have a line in the README above them', () => {
    const folders = [
      ...new Set(
        ['server', 'sdk', 'electron', 'renderer'].flatMap((top) =>
          filesOf(top).map((file) => path.posix.dirname(file)),
        ),
      ),
    ].flatMap((folder) => {
      const parts = folder.split('/');
      return parts.slice(1).map((_, index) => parts.slice(0, index + 2).join('/'));
    });
    const unnamed = [...new Set(folders)].filter((folder) => {
      let above = path.posix.dirname(folder);
      while (above !== '.' && !existsSync(path.join(root, above, 'README.md')))
        above = path.posix.dirname(above);
      const readme = readFileSync(path.join(root, above, 'README.md'), 'utf8');
      const name = path.posix.basename(folder);
      return !readme.includes(`${name}/`) && !readme.includes(`/${name}\``);
    });
    expect(unnamed).toEqual([]);
  });
});
