import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { ChatPanel, type ChatViewer } from '../../features/live/chat/chat-panel.tsx'
import { isAwaited, premiereQuery } from '../../features/live/premieres/api.ts'
import { videoQuery } from '../../features/videos/videos/details/api.ts'
import { failedPage } from '../../lib/failed-page.ts'
import { paths } from '../../paths.ts'
import { UpcomingPremiere, WithdrawnPremiere } from './upcoming-premiere.tsx'
import { isNotFound } from '../../lib/is-not-found.ts'

/** In place of a video that not everybody may see: the premiere or the stream that it is announced as, or the not-found page. */
export function AnnouncedPremiere({
  videoId,
  visit,
  onOpen,
}: {
  videoId: string
  visit: ChatViewer & { isMissing: boolean }
  /** Opens the player. */
  onOpen: () => void
}) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { queryKey } = videoQuery(videoId)
  const { data: premiere, isLoadingError, error } = useQuery(premiereQuery(videoId))
  const [isWithdrawn, setWithdrawn] = useState(false)
  const maySee = !visit.isMissing
  // a failed look at one that is shown is repeated
  const isGone = isNotFound(error)
  const isNone = isLoadingError || isGone || (premiere !== undefined && !isAwaited(premiere))
  /** Leaves the announcement. Resolves with whether its page says that it was withdrawn. */
  const leave = useEffectEvent(async (): Promise<boolean> => {
    // it may have begun between two looks
    const hasBegun =
      maySee || (premiere && (await client.fetchQuery(videoQuery(videoId)).catch(() => undefined)))
    if (!hasBegun && premiere && isGone) return true
    if (hasBegun) onOpen()
    else {
      const state = failedPage(client.getQueryState(queryKey)?.error, location)
      void navigate(paths.notFound(), { replace: true, state })
    }
    return false
  })
  useEffect(() => {
    if (!isNone) return
    void leave().then(setWithdrawn)
    return () => setWithdrawn(false)
  }, [isNone])
  // the countdown stays until it is decided
  if (!premiere || (isNone && !isGone)) return null
  if (isWithdrawn) return <WithdrawnPremiere premiere={premiere} />
  return (
    <UpcomingPremiere
      premiere={premiere}
      onBegin={(video) => {
        client.setQueryData(queryKey, video)
        onOpen()
      }}
      onPreview={maySee ? onOpen : undefined}
      viewerId={visit.auth.authData?._id}
      requireSession={(act) => visit.requireSession(act, 'watch')}
    >
      {premiere.hasChat ? <ChatPanel videoId={videoId} viewer={visit} /> : undefined}
    </UpcomingPremiere>
  )
}
