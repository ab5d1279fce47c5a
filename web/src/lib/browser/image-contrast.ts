/** Small enough to read immediately, large enough to distinguish a scene from a uniform background. */
const SAMPLE_WIDTH = 32
const SAMPLE_HEIGHT = 18

/** Minimum standard deviation of the luma, from 0 to 255, of an image with content. */
const MIN_CONTRAST = 14

/**
 * Whether a picture has contrast, unlike a black frame, an empty card or a uniform background. False if it cannot be
 * read.
 */
export async function hasContrast(url: string): Promise<boolean> {
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = SAMPLE_WIDTH
    canvas.height = SAMPLE_HEIGHT
    const context = canvas.getContext('2d')
    if (!context) return false
    context.drawImage(image, 0, 0, SAMPLE_WIDTH, SAMPLE_HEIGHT)
    return contrastOf(context.getImageData(0, 0, SAMPLE_WIDTH, SAMPLE_HEIGHT).data) >= MIN_CONTRAST
  } catch {
    // The image failed to load, or is on another origin, which taints the canvas.
    return false
  }
}

/** The standard deviation of the luma (Rec. 709) of RGBA pixels. */
export function contrastOf(rgba: ArrayLike<number>): number {
  const count = Math.floor(rgba.length / 4)
  if (count === 0) return 0
  const lumas = Array.from({ length: count }, (_, index) => {
    const channel = (offset: number) => rgba[index * 4 + offset] ?? 0
    return 0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2)
  })
  const mean = lumas.reduce((total, luma) => total + luma, 0) / count
  return Math.sqrt(lumas.reduce((total, luma) => total + (luma - mean) ** 2, 0) / count)
}
