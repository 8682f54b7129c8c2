// An Electron runtime that is none, as a zip of the name and form that Electron publishes: enough to be packaged. Its
// executable holds nothing but the fuses. So the packaging can be shown where no runtime can be had.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';

/** `@electron/fuses`: the mark that stands before the wire, its version, its length, all fuses off. */
const fuseMark = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const fuseCount = 9;

/** Writes `electron-v<version>-linux-x64.zip` into the folder. */
export function writeStubRuntime(folder: string, version: string): void {
  const wire = Buffer.concat([
    Buffer.from(`no program ${fuseMark}`),
    Buffer.from([1, fuseCount]),
    Buffer.from('0'.repeat(fuseCount)),
  ]);
  const files = [
    { name: 'electron', data: wire, mode: 0o755 },
    { name: 'version', data: Buffer.from(version), mode: 0o644 },
    { name: 'LICENSE', data: Buffer.from('no licence\n'), mode: 0o644 },
    { name: 'LICENSES.chromium.html', data: Buffer.from('no licences\n'), mode: 0o644 },
    { name: 'resources/default_app.asar', data: Buffer.from('replaced'), mode: 0o644 },
  ];
  writeFileSync(path.join(folder, `electron-v${version}-linux-x64.zip`), zip(files));
}

interface ZipEntry {
  readonly name: string;
  readonly data: Buffer;
  readonly mode: number;
}

/** Stored, not compressed (APPNOTE.TXT 4.3.7, 4.3.12, 4.3.16). */
function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, mode } of entries) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt32LE(crc32(data), 14);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt32LE(data.length, 22);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    // Made by Unix, so that the mode counts.
    central.writeUInt16LE((3 << 8) | 20, 4);
    local.copy(central, 6, 4, 30);
    central.writeUInt32LE(((0o100000 | mode) << 16) >>> 0, 38);
    central.writeUInt32LE(offset, 42);
    parts.push(local, Buffer.from(name), data);
    directory.push(central, Buffer.from(name));
    offset += local.length + name.length + data.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
