// Another program that changes every file of a folder as fast as it can: `node burst-writer.ts DIR DIRECTORIES FILES_EACH`.
import { appendFileSync } from 'node:fs';
import path from 'node:path';

const [dir = '', directories = '0', filesEach = '0'] = process.argv.slice(2);
for (let at = 0; at < Number(directories); at += 1) {
  for (let file = 0; file < Number(filesEach); file += 1)
    appendFileSync(path.join(dir, `d${at}`, `${file}.txt`), 'changed\n');
}
