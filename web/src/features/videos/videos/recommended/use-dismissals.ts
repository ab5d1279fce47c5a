import { call } from '@kinora/contract/client.ts'
import {
  dismissChannel,
  dismissVideo,
  restoreChannel,
  restoreVideo,
} from '@kinora/contract/watching/recommendations.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dismissedQuery } from './api.ts'

type Subject = 'video' | 'channel'

/** Dismissed items of a list, and the commands to dismiss. `dismiss` is undefined for visitors. */
export type Dismissals = ReturnType<typeof useDismissals>

export function useDismissals(isSignedIn: boolean) {
  const client = useQueryClient()
  const { data } = useQuery({ ...dismissedQuery, enabled: isSignedIn })
  /** Dismissed in this list: they leave a placeholder that can undo it. */
  const [here, setHere] = useState<ReadonlyMap<string, Subject>>(new Map())
  const [failedId, setFailedId] = useState<string>()
  const dismissed = isSignedIn ? data : undefined

  async function change({ _id, videoOwner }: Video, subject: Subject, isDismissed: boolean) {
    const rest = [...here].filter(([id]) => id !== _id)
    setHere(new Map(isDismissed ? [...rest, [_id, subject] as const] : rest))
    setFailedId(undefined)
    client.setQueryData(dismissedQuery.queryKey, (before) => {
      if (!before) return before
      if (subject === 'video') {
        const others = before.videoIds.filter((id) => id !== _id)
        return { ...before, videoIds: isDismissed ? [_id, ...others] : others }
      }
      const others = before.channels.filter((channel) => channel._id !== videoOwner._id)
      return { ...before, channels: isDismissed ? [videoOwner, ...others] : others }
    })
    const ofVideo = { params: { videoId: _id } }
    const ofChannel = { params: { username: videoOwner.username } }
    try {
      if (subject === 'video') await call(isDismissed ? dismissVideo : restoreVideo, ofVideo)
      else await call(isDismissed ? dismissChannel : restoreChannel, ofChannel)
    } catch (error) {
      console.error('The recommendation was not changed', error)
      setFailedId(_id)
      setHere(new Map(rest))
      await client.invalidateQueries(dismissedQuery)
    }
  }

  return {
    here,
    failedId,
    /** Whether a list contains the video, or its placeholder. */
    shows: ({ _id, videoOwner }: Pick<Video, '_id'> & Partial<Pick<Video, 'videoOwner'>>) =>
      here.has(_id) ||
      !dismissed ||
      !(
        dismissed.videoIds.includes(_id) ||
        dismissed.channels.some(({ username }) => username === videoOwner?.username)
      ),
    dismiss: isSignedIn ? (video: Video, subject: Subject) => void change(video, subject, true) : undefined,
    restore: (video: Video) => void change(video, here.get(video._id) ?? 'video', false),
  }
}
