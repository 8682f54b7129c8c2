// Uploads and other work that ends when the page is closed; moving to another screen does not end it.
import { Observable } from './observable.ts';

/** Number of works that run. */
export const runningWork = new Observable(0);

/** Closing the page, and quitting the desktop app, asks until `work` has ended. */
export async function holdingPage<T>(work: Promise<T>): Promise<T> {
  runningWork.set(runningWork.get() + 1);
  try {
    return await work;
  } finally {
    runningWork.set(runningWork.get() - 1);
  }
}
