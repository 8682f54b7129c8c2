// Where the signing key and the owner token are kept: in files of the data directory that only this user may read, or shared by the
// processes of a hub.
import { readPrivateFile, writePrivateFile } from '../platform/files/private-files.ts';

export interface KeyStore {
  /** For messages. */
  readonly place: string;
  /** The text of the key; `make` gives it when there is none. */
  signingKey(make: () => string): Promise<string>;
  /** The token while `isValid`, otherwise the new one of `make`. */
  ownerToken(isValid: (stored: string) => boolean, make: () => string): Promise<string>;
}

export function keyFiles(files: {
  readonly signingKeyFile: string;
  readonly ownerTokenFile: string;
}): KeyStore {
  const { signingKeyFile, ownerTokenFile } = files;
  return {
    place: signingKeyFile,
    async signingKey(make) {
      const stored = readPrivateFile(signingKeyFile);
      if (stored !== null) return stored;
      const made = make();
      writePrivateFile(signingKeyFile, made);
      return made;
    },
    async ownerToken(isValid, make) {
      const stored = readPrivateFile(ownerTokenFile)?.trim() ?? '';
      if (isValid(stored)) return stored;
      const made = make();
      writePrivateFile(ownerTokenFile, `${made}\n`);
      return made;
    },
  };
}

/** The first process of all makes both. The owner token is also written to the file, for the commands on this machine. */
export function sharedKeys(
  shared: { keep(name: string, make: () => string): Promise<string> },
  ownerTokenFile: string,
): KeyStore {
  return {
    place: 'the database',
    signingKey: (make) => shared.keep('signing key', make),
    async ownerToken(_isValid, make) {
      const token = await shared.keep('owner token', make);
      if (readPrivateFile(ownerTokenFile)?.trim() !== token) writePrivateFile(ownerTokenFile, `${token}\n`);
      return token;
    },
  };
}
