/** Stands in the routes; its content is on its way. */
export function ChannelVideosPage() {
  return null
}
