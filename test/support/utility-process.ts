// The desktop app's utility process (server/utility.ts), for the tests of the app's main process.
import '../../server/utility.ts';
