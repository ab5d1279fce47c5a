import type { Playlist } from '@kinora/contract/watching/playlists.ts'

/** An entry of a playlist in a file; its video is null if the reader of the file may not see it. */
export interface ExportedEntry {
  addedAt: Date
  video: {
    id: string
    title: string
    username: string
    fullname: string
    durationSeconds: number
    streamUrl: string
  } | null
}

/** Writes a playlist: the beginning of the file, each entry, what is between entries, and the end. */
export interface PlaylistFormat {
  begin: (playlist: Playlist) => string
  entry: (entry: ExportedEntry, origin: string) => string
  separator: string
  end: string
}

/** A playlist and its entries as JSON, with links that open in a browser. */
export const jsonFormat: PlaylistFormat = {
  begin: ({ title, description, visibility, createdAt, updatedAt }) =>
    `${JSON.stringify({ title, description, visibility, createdAt, updatedAt }).slice(0, -1)},"videos":[`,
  entry: ({ addedAt, video }, origin) =>
    JSON.stringify({
      addedAt: addedAt.toISOString(),
      title: video?.title ?? null,
      channel: video?.username ?? null,
      durationSeconds: video?.durationSeconds ?? null,
      url: video && `${origin}/video/${video.id}`,
    }),
  separator: ',',
  end: ']}',
}

/** The playable videos as extended M3U, with the streams that players such as VLC open. */
export const m3uFormat: PlaylistFormat = {
  begin: ({ title }) => `#EXTM3U\n#PLAYLIST:${onOneLine(title)}\n`,
  entry: ({ video }, origin) =>
    video
      ? `#EXTINF:${Math.round(video.durationSeconds)},${onOneLine(`${video.fullname} - ${video.title}`)}\n${origin}${video.streamUrl}\n`
      : '',
  separator: '',
  end: '',
}

const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')
