// Scripts of real commands for a run, and the folder that they start from, both from a seed: what people, builds and coding agents do to
// files. Commands that fail are a part of it: a script continues after them.
import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SeededRandom } from './trees.ts';

const directories = ['src', 'src/deep', 'src/deep/er', 'docs', 'docs/Ünïcode', 'with space', 'data'];
const names = ['main.ts', 'read me.md', "it's.txt", 'naïve.md', 'list.csv', 'tool.sh', '-dash', 'a$b'];
/** Not synced, and without an effect on what is. */
const ignoredFiles = ['build/out.js', 'trace.log', '.git-like.swp'];
const ruleFile = 'build/\n*.log\n';
const linesMax = 40;

export interface Programs {
  readonly git: boolean;
  readonly python: boolean;
}

/** What this machine has of the programs that a script may need. */
export function findPrograms(): Programs {
  return { git: runs('git', '--version'), python: runs('python3', '--version') };
}

function runs(program: string, argument: string): boolean {
  try {
    execFileSync(program, [argument], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Fills an empty folder. Answers the files that a script may name. */
export function plantFolder(dir: string, random: SeededRandom): readonly string[] {
  const files: string[] = [];
  const put = (file: string, content: string | Uint8Array) => {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), content);
    if (random.below(5) === 0) chmodSync(path.join(dir, file), random.pick([0o755, 0o600, 0o640, 0o700]));
    files.push(file);
  };
  for (const directory of ['.', ...directories])
    for (const name of names)
      if (random.below(3) > 0) {
        const file = path.join(directory, name);
        put(file, random.below(6) === 0 ? random.bytes(random.below(5000)) : textOf(random));
      }
  put('.mooringignore', ruleFile);
  files.pop();
  for (const file of ignoredFiles) put(file, textOf(random));
  files.splice(-ignoredFiles.length);
  put('linked.txt', textOf(random));
  mkdirSync(path.join(dir, 'empty/below'), { recursive: true });
  symlinkSync('linked.txt', path.join(dir, 'link'));
  symlinkSync('src', path.join(dir, 'link-to-directory'));
  symlinkSync('/nowhere/at all', path.join(dir, 'dangling'));
  linkSync(path.join(dir, 'linked.txt'), path.join(dir, 'second-name.txt'));
  return [...files, 'second-name.txt'];
}

function textOf(random: SeededRandom): string {
  const lines = Array.from({ length: random.below(linesMax) }, (_, at) => `line ${at} ${random.below(1000)}`);
  return lines.join('\n') + (random.below(4) === 0 ? '' : '\n');
}

/** A script for `sh`. `filesMax`: of the largest group of files that one of its commands makes. */
export function makeScript(
  random: SeededRandom,
  files: readonly string[],
  { programs, filesMax }: { readonly programs: Programs; readonly filesMax: number },
): string {
  const kinds = [
    ...shellCommands,
    ...shellCommands,
    ...nodeCommands,
    ...(programs.git ? gitCommands : []),
    ...(programs.python ? pythonCommands : []),
  ];
  const scope = new Scope(random, files, filesMax);
  const lines = Array.from({ length: 3 + random.below(10) }, () => random.pick(kinds)(scope));
  return [gitFunction, ...lines, ''].join('\n');
}

/** What a command names: files and directories that were there at first, and new names. */
class Scope {
  readonly random: SeededRandom;
  readonly #files: readonly string[];
  readonly #filesMax: number;

  constructor(random: SeededRandom, files: readonly string[], filesMax: number) {
    this.random = random;
    this.#files = files;
    this.#filesMax = filesMax;
  }

  get file(): string {
    return quoted(this.random.pick(this.#files));
  }

  get directory(): string {
    return quoted(this.random.pick(directories));
  }

  get newFile(): string {
    return quoted(path.join(this.random.pick(['.', ...directories]), `new ${this.random.below(12)}.txt`));
  }

  get newDirectory(): string {
    return quoted(`moved ${this.random.below(4)}`);
  }

  get word(): string {
    return `w${this.random.below(1000)}`;
  }

  get count(): number {
    return 1 + this.random.below(this.#filesMax);
  }
}

function quoted(name: string): string {
  return `'./${name.replaceAll("'", "'\\''")}'`;
}

type Command = (scope: Scope) => string;

const shellCommands: readonly Command[] = [
  (s) => `rm -rf ${s.directory}`,
  (s) => `rm -f ${s.file} ${s.file} ${s.file}`,
  (s) => (s.random.below(4) === 0 ? 'rm -rf ./*' : `rm -rf ${s.directory}/*`),
  (s) => `mv ${s.file} ${s.newFile}`,
  (s) => `mv ${s.file} ${s.file}`,
  (s) => `mv ${s.directory} ${s.newDirectory}`,
  (s) => `mv ${s.directory} ${s.directory}`,
  (s) => `mv ${s.file} ${s.directory}`,
  (s) => `mv ${s.newDirectory} ${s.directory}`,
  // A directory where a file was, and the reverse.
  (s) => `f=${s.file}; rm -rf "$f"; mkdir -p "$f" && echo ${s.word} > "$f/in"`,
  (s) => `d=${s.directory}; rm -rf "$d"; echo ${s.word} > "$d"`,
  // Two names exchange their files.
  (s) => `a=${s.file}; b=${s.file}; mv "$a" swap; mv "$b" "$a"; mv swap "$b"`,
  (s) => `sed -i 's/line/${s.word}/' ${s.file} ${s.file}`,
  (s) => `sed -i '2d' ${s.file}`,
  (s) => `find . -name '*.md' -not -path './.mooring/*' -exec sed -i 's/line/${s.word}/' {} +`,
  (s) => `echo ${s.word} >> ${s.file}`,
  (s) => `: > ${s.file}`,
  (s) => `truncate -s ${s.random.below(9000)} ${s.file}`,
  (s) => `f=${s.file}; cp "$f" "$f.tmp" && echo ${s.word} >> "$f.tmp" && mv "$f.tmp" "$f"`,
  // An editor with a backup: the old file is renamed, the new one is written, the backup goes.
  (s) => `f=${s.file}; mv "$f" "$f~" && echo ${s.word} > "$f" && rm "$f~"`,
  (s) => `f=${s.file}; echo swap > ./.x.swp; echo ${s.word} > "$f"; rm -f ./.x.swp`,
  (s) => `mkdir -p ${s.newDirectory} && cp -a ${s.directory} ${s.newDirectory}`,
  (s) =>
    `mkdir -p many && i=0; while [ $i -lt ${s.count} ]; do echo $i > "many/$((i % 7))-$i"; i=$((i+1)); done`,
  (s) => `chmod ${s.random.pick(['755', '600', 'a+x', '444'])} ${s.file}`,
  (s) => `chmod 444 ${s.file}; rm -f ${s.file}`,
  (s) => `ln -s ${s.file} ${s.newFile}`,
  (s) => `ln ${s.file} ${s.newFile}`,
  (s) => `f=${s.file}; rm -f "$f"; ln -s nowhere "$f"`,
  (s) => `f=${s.file}; t=${s.file}; rm -f "$f"; ln "$t" "$f"; echo ${s.word} >> "$f"`,
  (s) => `tar -cf all.tar ${s.directory} && rm -rf ${s.directory} && tar -xf all.tar`,
  (s) => `tar -cf - ${s.directory} | (mkdir -p ${s.newDirectory} && tar -xf - -C ${s.newDirectory})`,
  (s) => `head -c ${s.random.below(200_000)} /dev/zero | tr '\\0' x > ${s.newFile}`,
  (s) => `echo ${s.word} > trace.log; mkdir -p build; echo ${s.word} > build/new.js`,
  (s) => `touch ${s.newFile}; touch -d '2001-01-01' ${s.file}`,
  () => 'find . -type d -empty -not -path "./.mooring*" -delete',
];

const program = (lines: string) => lines.replaceAll('\n', ' ').replaceAll(/ +/g, ' ').trim();
const nodeCommand = (s: Scope, code: string, ...args: readonly string[]) =>
  `node -e "${program(code)}" -- ${args.join(' ')} ${s.word}`;

const nodeCommands: readonly Command[] = [
  (s) =>
    nodeCommand(
      s,
      `const fs = require('fs'); const [f, word] = process.argv.slice(1);
       fs.writeFileSync(f + '.part', word); fs.fsyncSync(fs.openSync(f + '.part')); fs.renameSync(f + '.part', f);`,
      s.file,
    ),
  (s) =>
    nodeCommand(
      s,
      `const fs = require('fs'); const [d, word] = process.argv.slice(1);
       for (const name of fs.readdirSync(d)) { const f = d + '/' + name;
       if (fs.statSync(f).isFile()) fs.appendFileSync(f, word); }`,
      s.directory,
    ),
  (s) =>
    nodeCommand(
      s,
      `const fs = require('fs'); const [a, b] = process.argv.slice(1);
       fs.cpSync(a, b, { recursive: true }); fs.rmSync(a, { recursive: true });`,
      s.directory,
      s.newDirectory,
    ),
];

const pythonCommands: readonly Command[] = [
  (s) => `python3 -c "import shutil,sys; shutil.rmtree(sys.argv[1])" ${s.directory}`,
  (s) =>
    `python3 -c "import os,sys; [os.replace(e.path, e.path + '.bak') for e in os.scandir(sys.argv[1]) if e.is_file()]" ${s.directory}`,
  (s) => `python3 -c "import sys; f=open(sys.argv[1],'r+b'); f.seek(3); f.write(b'${s.word}')" ${s.file}`,
];

/** Without the settings of the machine's user. */
const gitFunction =
  'git() { GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null command git -c user.name=t -c user.email=t@example.org -c gc.auto=0 "$@"; }';

const gitCommands: readonly Command[] = [
  () => `git init -q .`,
  (s) =>
    `git init -q . && git add -A && git commit -q -m ${s.word}; rm -rf ${s.directory}; git checkout -q -- .`,
  (s) => `git init -q . && git add .mooringignore ${s.file} && git clean -q -fd`,
  (s) =>
    `git init -q . && git add -A && git commit -q -m a; echo ${s.word} > ${s.file}; git checkout -q -b ${s.word}; git commit -q -a -m b; git checkout -q -`,
  (s) => `git init -q . && git add -A && git mv -k ${s.file} ${s.newFile}; git stash -q`,
  (s) =>
    `git init -q . && git add -A && git commit -q -m a && git rm -q -r ${s.directory} && git reset -q --hard`,
];
