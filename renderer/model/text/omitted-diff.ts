// Why a preview shows no lines, in words, with both sizes. Pure.
import type { WritebackPreview } from '../../../server/contract/operations.ts';
import { size } from '../format.ts';

type OmittedDiff = Pick<WritebackPreview, 'diffOmitted' | 'sizeBytes' | 'providerSizeBytes'>;

export function omittedDiff({ diffOmitted, sizeBytes, providerSizeBytes = 0 }: OmittedDiff): string {
  const sizes = `${size(providerSizeBytes)} before, ${size(sizeBytes)} after.`;
  switch (diffOmitted) {
    case 'binary':
      return `These bytes are not text: ${sizes}`;
    case 'too_large':
      return `Too large to be compared: ${sizes}`;
    case 'too_different':
      return `Too different to show line by line: ${sizes}`;
    default:
      return 'No lines to compare: nothing can be sent.';
  }
}
