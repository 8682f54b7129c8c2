// The part of two images that differs, by their pixels.

/** Images are compared at most at this size, so that the comparison takes a few milliseconds. */
const edgeMax = 512;
/** Of 255, for each channel: less is no difference that a person sees. */
const toleratedStep = 2;

/** 0 to 1, of the frame that holds both from their upper left corner; null: this browser does not show their pixels. */
export function differingShare(one: HTMLImageElement, two: HTMLImageElement): number | null {
  const width = Math.max(one.naturalWidth, two.naturalWidth);
  const height = Math.max(one.naturalHeight, two.naturalHeight);
  const scale = Math.min(1, edgeMax / Math.max(width, height, 1));
  const frame = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  try {
    const first = pixelsOf(one, scale, frame);
    const second = pixelsOf(two, scale, frame);
    if (first === null || second === null) return null;
    let differing = 0;
    for (let at = 0; at < first.length; at += 4) {
      let step = 0;
      for (let channel = at; channel < at + 4; channel += 1)
        step = Math.max(step, Math.abs((first[channel] ?? 0) - (second[channel] ?? 0)));
      if (step > toleratedStep) differing += 1;
    }
    return differing / (frame.width * frame.height);
  } catch {
    // An image that refers to another host has no readable pixels.
    return null;
  }
}

function pixelsOf(
  image: HTMLImageElement,
  scale: number,
  { width, height }: { readonly width: number; readonly height: number },
): Uint8ClampedArray | null {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return null;
  context.drawImage(image, 0, 0, image.naturalWidth * scale, image.naturalHeight * scale);
  return context.getImageData(0, 0, width, height).data;
}
