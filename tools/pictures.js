// Reduce a screenshot (PNG in base64) to 128 colours: the most frequent ones, and for all others
// the nearest of them.
async (png) => {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const pixels = new Uint32Array(canvas.getImageData(0, 0, image.width, image.height).data.buffer);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) || 0) + 1);
  const channels = (pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
  const kept = [...counts.keys()].sort((one, other) => counts.get(other) - counts.get(one) || one - other).slice(0, 128);
  const palette = kept.map(channels);
  const nearest = new Map(kept.map((pixel, index) => [pixel, index]));
  for (const pixel of counts.keys()) {
    if (nearest.has(pixel)) continue;
    const [red, green, blue] = channels(pixel);
    const distances = palette.map((each) => (each[0] - red) ** 2 + (each[1] - green) ** 2 + (each[2] - blue) ** 2);
    nearest.set(pixel, distances.indexOf(Math.min(...distances)));
  }
  let indices = "";
  for (const pixel of pixels) indices += String.fromCharCode(nearest.get(pixel));
  return { width: image.width, height: image.height, palette: palette.flat(), pixels: btoa(indices) };
};
