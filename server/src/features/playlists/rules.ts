import type { Playlist, PlaylistEntry } from '@kinora/contract/playlists.ts'

/** A playlist and its entries as JSON, with links that open in a browser. */
export function toJsonExport(origin: string, playlist: Playlist, entries: PlaylistEntry[]): object {
  return {
    title: playlist.title,
    description: playlist.description,
    visibility: playlist.visibility,
    createdAt: playlist.createdAt,
    updatedAt: playlist.updatedAt,
    videos: entries.map(({ addedAt, video }) =>
      video
        ? {
            addedAt,
            title: video.title,
            channel: video.videoOwner.username,
            durationSeconds: video.duration,
            url: `${origin}/video/${video._id}`,
          }
        : { addedAt, title: null, channel: null, durationSeconds: null, url: null },
    ),
  }
}

/** The playable videos as extended M3U, with the streams that players such as VLC open. */
export function toM3u(origin: string, playlist: Playlist, entries: PlaylistEntry[]): string {
  const videos = entries.flatMap(({ video }) => video ?? [])
  const lines = videos.flatMap((video) => [
    `#EXTINF:${Math.round(video.duration)},${onOneLine(`${video.videoOwner.fullname} - ${video.title}`)}`,
    origin + video.streamUrl,
  ])
  return ['#EXTM3U', `#PLAYLIST:${onOneLine(playlist.title)}`, ...lines, ''].join('\n')
}

const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')
