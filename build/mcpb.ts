// `npm run build:mcpb [file] [--portable]`: makes the MCPB bundle, by default dist/mooring.mcpb, which Claude Desktop installs by a double click. It contains a
// relay that finds the installed Mooring; without `--portable` also where this checkout is, for machines on which no other one is installed.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packExtension, validateManifest } from '@anthropic-ai/mcpb';
import { tools } from '../server/mcp/tools/all.ts';
import { packageVersion } from '../server/platform/version.ts';
import { commandFile } from './command.mjs';

const root = path.resolve(import.meta.dirname, '..');
const words = process.argv.slice(2);
const isPortable = words.includes('--portable');
const output = path.resolve(
  words.find((word) => !word.startsWith('--')) ?? path.join(root, 'dist/mooring.mcpb'),
);

const folder = mkdtempSync(path.join(tmpdir(), 'mooring-mcpb-'));
try {
  mkdirSync(path.join(folder, 'server'));
  cpSync(path.join(root, 'build/mcpb/relay.mjs'), path.join(folder, 'server/relay.mjs'));
  cpSync(path.join(root, 'build/icons/app-512.png'), path.join(folder, 'icon.png'));
  if (!isPortable) {
    const checkout = { node: process.execPath, script: commandFile };
    writeFileSync(path.join(folder, 'server/checkout.json'), JSON.stringify(checkout));
  }
  const manifestFile = path.join(folder, 'manifest.json');
  writeFileSync(manifestFile, JSON.stringify(manifest(), null, 2));
  if (!validateManifest(manifestFile)) throw new Error('the manifest is not valid');
  mkdirSync(path.dirname(output), { recursive: true });
  if (!(await packExtension({ extensionPath: folder, outputPath: output, silent: true })))
    throw new Error('the bundle was not made');
  process.stdout.write(`${output}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function manifest(): object {
  return {
    manifest_version: '0.3',
    name: 'mooring',
    display_name: 'Mooring',
    version: packageVersion,
    description:
      'A shared, versioned workspace of files, with search, history and runs that are reviewed and undone as one.',
    author: { name: 'The Mooring authors' },
    license: 'Apache-2.0',
    icon: 'icon.png',
    server: {
      type: 'node',
      entry_point: 'server/relay.mjs',
      mcp_config: {
        command: 'node',
        // biome-ignore-start lint/suspicious/noTemplateCurlyInString: placeholders of the format
        args: ['${__dirname}/server/relay.mjs'],
        env: {
          MOORING_BUNDLE_PROGRAM: '${user_config.program}',
          MOORING_BUNDLE_WORKSPACE: '${user_config.workspace}',
          MOORING_BUNDLE_PATH: '${user_config.path}',
          MOORING_BUNDLE_READ_ONLY: '${user_config.read_only}',
        },
        // biome-ignore-end lint/suspicious/noTemplateCurlyInString: placeholders of the format
      },
    },
    tools: tools.map(({ spec: { name, description } }) => ({ name, description })),
    user_config: {
      workspace: {
        type: 'string',
        title: 'Workspace',
        description: 'Name or id. Can be empty when there is only one.',
        required: false,
        default: '',
      },
      path: {
        type: 'string',
        title: 'Path',
        description: 'Limits access to a directory, for example /docs/**. Empty: everything.',
        required: false,
        default: '',
      },
      read_only: {
        type: 'boolean',
        title: 'Read only',
        description: 'Offers no tool that writes.',
        required: false,
        default: false,
      },
      program: {
        type: 'file',
        title: 'Program',
        description: 'Where Mooring is not found: its program, or dist/mooring.mjs of a checkout.',
        required: false,
        default: '',
      },
    },
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=18.0.0' } },
  };
}
