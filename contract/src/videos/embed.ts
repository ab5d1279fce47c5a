/** Name of the meta element of an embedded player in a page that may not embed its video. */
export const embedRefusedMeta = 'kinora-embed-refused'

const WIDTH_PIXELS = 640

/** Default size of the iframe in pixels, with the aspect ratio of the video. */
export function embedSize(video: { width: number; height: number }): { width: number; height: number } {
  return {
    width: WIDTH_PIXELS,
    height: Math.round((WIDTH_PIXELS * video.height) / Math.max(1, video.width)) || 360,
  }
}

/** The attributes of the `iframe` that shows a video on a page of another site. */
export function embedAttributes(frame: {
  /** Absolute URL of the page `/embed/{id}`. */
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
    // Never wider than its column, and always with the aspect ratio of the video.
    style: `max-width:100%;height:auto;aspect-ratio:${frame.width}/${frame.height}`,
    frameborder: '0',
    allow: 'autoplay; fullscreen; picture-in-picture',
    allowfullscreen: '',
  }
}
