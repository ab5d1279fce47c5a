import type { ShareLink, SharedVideo } from '@kinora/contract/videos/share-links.ts'
import type { DetailedVideo } from '@kinora/contract/videos/videos.ts'
import { sharedPath } from '../../visibility/rules.ts'
import type { StoredLink } from './queries/links.ts'

export function toShareLink({ id, passwordHash, ...link }: StoredLink): ShareLink {
  return {
    _id: id,
    ...link,
    hasPassword: passwordHash !== null,
    expiresAt: link.expiresAt?.toISOString() ?? null,
    createdAt: link.createdAt.toISOString(),
    usedAt: link.usedAt?.toISOString() ?? null,
  }
}

/** The video with addresses of its files that a visit of a link opens. */
export function toSharedVideo(video: DetailedVideo, visit: string, allowsDownload: boolean): SharedVideo {
  const shared = (path: string) => sharedPath(path, visit)
  const { downloadFile, ...shown } = video
  return {
    ...shown,
    thumbnail: shared(video.thumbnail),
    streamUrl: shared(video.streamUrl),
    downloadsAllowed: allowsDownload,
    // the uploaded file of a cut video is sent to nobody
    videoFile: allowsDownload && downloadFile === undefined ? shared(video.videoFile) : null,
    ...(allowsDownload && downloadFile !== undefined && { downloadFile: shared(downloadFile) }),
    storyboardUrl: video.storyboardUrl && shared(video.storyboardUrl),
    captions: video.captions.map((track) => ({ ...track, url: shared(track.url) })),
  }
}
