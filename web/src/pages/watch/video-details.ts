import { pictureInWidth, posters } from '@kinora/contract/pictures.ts'
import type { DetailedVideo } from '@kinora/contract/videos.ts'
import type { VideoDetails } from '../../features/playback/video-player.tsx'

/** What is beyond the specified fields: the page depends on no more than every version of the server sends. */
type Extras = 'storyboardUrl' | 'captions'

/** What the player shows of a video. */
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
    durationSeconds: video.duration,
  }
}
