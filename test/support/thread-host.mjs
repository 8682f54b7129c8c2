// A thread that runs the programs of the server's threads one after the other, each with data and a port of its own (reused-threads.ts).
// What they share stays loaded.
import { createRequire, syncBuiltinESMExports } from 'node:module';

/** Its exports are those of the program that runs. */
const threads = createRequire(import.meta.url)('node:worker_threads');
const { parentPort: own } = threads;
let runs = 0;
/** Of the program that runs. */
let ports = [];

function run({ script, workerData, port, env }) {
  runs += 1;
  port.once('close', () => own.postMessage('ended'));
  ports = [port, workerData?.port].filter((each) => each instanceof threads.MessagePort);
  threads.parentPort = port;
  threads.workerData = workerData;
  syncBuiltinESMExports();
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  // Under another address the program runs again. An error of it ends this thread, as it would end its own.
  void import(`${script}?run=${runs}`).then(() => own.postMessage('online'));
}

own.on('message', (message) => {
  if (message === 'rests?') own.postMessage('rests');
  else if (message === 'end') for (const each of ports) each.close();
  else run(message);
});
