/** URL of the HLS multivariant playlist. It follows from the id, so the stream loads in parallel with the page's data. */
export function streamUrlOf(videoId: string): string {
  return `/media/videos/${encodeURIComponent(videoId)}/master.m3u8`
}
