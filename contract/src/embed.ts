/** The width of a frame for which nobody asked for another. */
const WIDTH_PIXELS = 640

/** How large a frame for a video is, in pixels, as wide as usual and in the shape of its picture. */
export function embedSize(video: { width: number; height: number }): { width: number; height: number } {
  return {
    width: WIDTH_PIXELS,
    height: Math.round((WIDTH_PIXELS * video.height) / Math.max(1, video.width)) || 360,
  }
}

/** The attributes of the `iframe` that shows a video on a page of another site. */
export function embedAttributes(frame: {
  /** Of the page `/embed/{id}`, as other sites reach it. */
  source: string
  title: string
  width: number
  height: number
}): Record<string, string> {
  return {
    width: String(frame.width),
    height: String(frame.height),
    src: frame.source,
    title: frame.title,
    // Never wider than its column, and always in the shape of the picture.
    style: `max-width:100%;height:auto;aspect-ratio:${frame.width}/${frame.height}`,
    frameborder: '0',
    allow: 'autoplay; fullscreen; picture-in-picture',
    allowfullscreen: '',
  }
}
