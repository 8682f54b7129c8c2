// Explains why a preview has no diff, with both sizes. Pure.
import type { WritebackPreview } from '../../../server/contract/operations.ts';
import { size } from '../format.ts';

type OmittedDiff = Pick<WritebackPreview, 'diffOmitted' | 'sizeBytes' | 'providerSizeBytes'>;

export function omittedDiff({ diffOmitted, sizeBytes, providerSizeBytes = 0 }: OmittedDiff): string {
  const sizes = `${size(providerSizeBytes)} before, ${size(sizeBytes)} after`;
  switch (diffOmitted) {
    case 'binary':
      return `Binary file: ${sizes}`;
    case 'too_large':
      return `Too large to compare: ${sizes}`;
    case 'too_different':
      return `Too different for a line view: ${sizes}`;
    default:
      return 'No diff: the operation cannot be sent.';
  }
}
