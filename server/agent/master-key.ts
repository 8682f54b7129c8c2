// The key that seals the secrets of a hub: 32 bytes in a file that only this user may read, the same for every process.
import { systemRandom } from '../platform/crypto/hashes.ts';
import { masterKeyBytes } from '../platform/crypto/secret-box.ts';
import { readPrivateFile, writePrivateFile } from '../platform/files/private-files.ts';
import { AgentStartError } from './start-failure.ts';

/** Throws an AgentStartError. */
export function readMasterKey(file: string): Uint8Array {
  const text = readPrivateFile(file);
  const remedy = 'Make one with "mooring hub key FILE", or copy the file of the other processes.';
  if (text === null) throw new AgentStartError(`There is no master key in ${file}.`, remedy);
  const key = Buffer.from(text.trim(), 'base64');
  if (key.byteLength !== masterKeyBytes)
    throw new AgentStartError(`${file} does not contain ${masterKeyBytes} bytes as base64.`, remedy);
  return key;
}

/** Refuses with an AgentStartError when the file exists: the secrets of a hub are lost with its key. */
export function makeMasterKey(file: string): void {
  if (readPrivateFile(file) !== null)
    throw new AgentStartError(
      `${file} exists.`,
      'A hub keeps its key: its secrets cannot be read with another one. Choose another file.',
    );
  writePrivateFile(file, `${Buffer.from(systemRandom(masterKeyBytes)).toString('base64')}\n`);
}
