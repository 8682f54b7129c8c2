// `npm run build:sdk [folder]`: builds the SDK as a package for Node 20 and later and for browsers, by default in dist/sdk. It contains one
// ES module, its types and its README, without dependencies. Install it with `npm install <folder>`.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { build } from 'vite';
import { writeOutTypes } from './sdk-types.ts';

const root = path.resolve(import.meta.dirname, '..');
const entry = path.join(root, 'sdk/index.ts');
const packageName = 'mooring-sdk';

const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist/sdk'));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await writeModule();
writeTypes();
writePackage();

async function writeModule(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      minify: false,
      target: ['node20', 'es2022'],
      lib: { entry, formats: ['es'], fileName: () => 'index.js' },
    },
  });
}

/** The compiler's declarations, with the types of the wire written out, because the package does not contain their schemas. */
function writeTypes(): void {
  const { config } = ts.readConfigFile(path.join(root, 'build/tsconfig.server.json'), ts.sys.readFile) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, path.join(root, 'build'));
  const { tsBuildInfoFile: _notForEmits, ...shared } = options;
  const program = ts.createProgram([entry], {
    ...shared,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    incremental: false,
    composite: false,
  });
  const wireTypes = new Set<string>();
  const sdkFolder = path.join(root, 'sdk');
  for (const source of program.getSourceFiles()) {
    if (path.dirname(path.resolve(source.fileName)) !== sdkFolder) continue;
    program.emit(source, (name, text) => {
      const declared = text.replaceAll(/'\.\.\/server\/contract\/[^']+'/g, "'./wire.js'");
      writeFileSync(
        path.join(folder, path.basename(name)),
        declared.replaceAll(/(from '\.\/[^']+)\.ts'/g, "$1.js'"),
      );
      for (const type of importedWireTypes(text)) wireTypes.add(type);
    });
  }
  writeFileSync(
    path.join(folder, 'wire.d.ts'),
    writeOutTypes(program, path.join(root, 'server/contract'), wireTypes),
  );
}

/** The names of types that a declaration file imports from the contract. */
function importedWireTypes(text: string): readonly string[] {
  return [...text.matchAll(/\{([^{}]*)\} from '\.\.\/server\/contract\//g)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.replace(/^\s*type\s/, '').trim())
      .filter((name) => name !== ''),
  );
}

function writePackage(): void {
  const { version, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
    license: string;
  };
  const description = {
    name: packageName,
    version,
    description: 'A client of the Mooring API, for Node and browsers.',
    license,
    type: 'module',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    engines: { node: '>=20.3' },
    sideEffects: false,
  };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
  const readme = readFileSync(path.join(root, 'sdk/README.md'), 'utf8');
  writeFileSync(path.join(folder, 'README.md'), readme.replaceAll("'./sdk/index.ts'", `'${packageName}'`));
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
}
