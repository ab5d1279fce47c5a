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
  // of a cut video there is no file
  const hasDownload = allowsDownload && video.videoFile !== video.streamUrl
  return {
    ...video,
    thumbnail: shared(video.thumbnail),
    streamUrl: shared(video.streamUrl),
    downloadsAllowed: hasDownload,
    videoFile: hasDownload ? shared(video.videoFile) : null,
    storyboardUrl: video.storyboardUrl && shared(video.storyboardUrl),
    captions: video.captions.map((track) => ({ ...track, url: shared(track.url) })),
  }
}
