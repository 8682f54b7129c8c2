// An answer that is made chunk by chunk, as fast as the receiver takes it.

/** Pulls one chunk at a time; `done` is called when the stream ends, fails or is canceled, also before the first read. */
export function chunkStream(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  done: () => void = () => undefined,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next();
          if (!next.done) return controller.enqueue(next.value);
          done();
          controller.close();
        } catch (error) {
          done();
          throw error;
        }
      },
      async cancel() {
        try {
          await chunks.return();
        } finally {
          done();
        }
      },
    },
    { highWaterMark: 0 },
  );
}
