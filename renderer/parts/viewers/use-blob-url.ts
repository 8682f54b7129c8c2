// An address of bytes that exists as long as the component.
import { useEffect, useState } from 'react';

/** null: not yet. */
export function useBlobUrl(bytes: Uint8Array, contentType: string): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const created = URL.createObjectURL(new Blob([bytes as BlobPart], { type: contentType }));
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [bytes, contentType]);
  return url;
}
