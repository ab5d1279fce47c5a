import type { User } from '@kinora/contract/accounts/users.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { createContext, useContext, useState } from 'react'
import { settings } from './settings.ts'

/** The account of the viewer, whose choice counts for videos with sensitive content; null for that of the site. */
export const SensitiveContext = createContext<Pick<User, '_id' | 'viewing'> | null>(null)

/** Videos that the viewer has chosen to see. */
const shown = new Set<string>()

/** Whether the pictures of a video are blurred, and what shows them. Those of own videos are not. */
export function useCover(
  video: (Pick<Video, '_id' | 'sensitive'> & Partial<Pick<Video, 'videoOwner'>>) | null | undefined,
): [isCovered: boolean, show: () => void] {
  const account = useContext(SensitiveContext)
  const [, update] = useState({})
  return [
    Boolean(
      video?.sensitive &&
      (account?.viewing?.sensitiveVideos ?? settings.sensitiveVideos) !== 'show' &&
      (!account || video.videoOwner?._id !== account._id) &&
      !shown.has(video._id),
    ),
    () => {
      if (video) shown.add(video._id)
      update({})
    },
  ]
}
