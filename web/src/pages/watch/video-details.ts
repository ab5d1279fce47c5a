import { pictureInWidth, posters } from '@kinora/contract/pictures.ts'
import type { DetailedVideo } from '@kinora/contract/videos/videos.ts'
import { isPublic } from '../../lib/is-public.ts'
import type { VideoDetails } from '../../features/videos/playback/video-player.tsx'

/** Fields beyond the specification, which a server may omit. */
type Extras = 'storyboardUrl' | 'captions' | 'chapters'

const noChapters: DetailedVideo['chapters'] = []

/** Metadata of a video for the player. */
export function detailsOf(
  video: Omit<DetailedVideo, Extras> & Partial<Pick<DetailedVideo, Extras>>,
): VideoDetails {
  return {
    title: video.title,
    artist: video.videoOwner.fullname,
    poster: pictureInWidth(
      video.thumbnail,
      posters.find(({ media }) => matchMedia(media).matches)?.width ?? 640,
    ),
    fileUrl: video.videoFile,
    storyboardUrl: video.storyboardUrl ?? null,
    captions: video.captions ?? [],
    chapters: video.chapters ?? noChapters,
    durationSeconds: video.duration,
    isLive: video.isLive,
    introId: video.introId,
    outroId: video.outroId,
    // of an account that has access, other devices do not know
    isPublic: isPublic(video),
  }
}
