import type { Video } from '@kinora/contract/videos/videos.ts'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type RefObject, Suspense, useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { positionsQuery } from '../../features/videos/playback/position/api.ts'
import type { PlayerHandle } from '../../features/videos/playback/state/player.ts'
import { loadPreferences, savePreferences } from '../../features/videos/playback/state/preferences.ts'
import { AutoplaySwitch } from '../../features/videos/playback/up-next/autoplay-switch.tsx'
import { loadFinished, markFinished } from '../../features/videos/playback/up-next/finished-videos.ts'
import { placeQuery } from '../../features/watching/playlists/api.ts'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { searchQuery } from '../../features/videos/videos/browse/api.ts'
import { dismissedQuery, recommendationsQuery } from '../../features/videos/videos/recommended/api.ts'
import { itemsOf } from '../../lib/list-pages.ts'
import { paths, type PlaylistPlace } from '../../paths.ts'

const UpNextCard = lazy(async () => ({
  default: (await import('../../features/videos/playback/up-next/up-next-card.tsx')).UpNextCard,
}))

/** History state of a video that was opened as the next one, so that the previous one is a step back. */
const asNext = { isNext: true }

/**
 * Next video: that of the open playlist, or else the first recommendation that the viewer has not
 * finished. It opens after a countdown if autoplay is on: in playlists unless switched off, elsewhere only if switched on.
 * Otherwise it is offered.
 */
export function useUpNext(
  videoId: string,
  title: string | undefined,
  place: PlaylistPlace | undefined,
  player: RefObject<PlayerHandle | null>,
) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const userId = useAuth().authData?._id ?? null
  const { state } = useLocation()
  const [preferences, setPreferences] = useState(loadPreferences)
  const preference = place ? 'autoplaysPlaylist' : 'autoplaysNext'
  const isOn = preferences[preference]
  const { data: entry } = useQuery({
    ...placeQuery(place?.listId ?? '', videoId, place?.shuffle),
    enabled: place !== undefined,
  })
  const recommended = useUnfinishedRecommendation(videoId, title)

  const next = place ? entry?.next : recommended
  const addressOf = (video: Video) =>
    place ? paths.watchInPlaylist(video._id, place) : paths.watch(video._id)
  const open = (video: Video) => void navigate(addressOf(video), { state: asNext })
  const previous = entry?.previous
  const goBack = isOpenedAsNext(state) ? () => void navigate(-1) : undefined

  const autoplaySwitch = useMemo(
    () => (
      <AutoplaySwitch
        isOn={isOn}
        onToggle={() => {
          savePreferences({ [preference]: !isOn })
          setPreferences(loadPreferences())
        }}
      />
    ),
    [isOn, preference],
  )
  return {
    queue: {
      onNext: next ? () => open(next) : undefined,
      onPrevious: previous ? () => open(previous) : place ? undefined : goBack,
    },
    onEnded: () => markFinished(client, userId, videoId),
    endCard: next && (
      <Suspense>
        <UpNextCard
          video={next}
          to={addressOf(next)}
          state={asNext}
          opensItself={isOn}
          onOpen={() => open(next)}
          onReplay={() => player.current?.seekTo(0)}
        />
      </Suspense>
    ),
    /** Recommendation that autoplay opens; undefined until known, null for none. Playlists show their own. */
    recommended: place ? null : recommended,
    autoplaySwitch,
  }
}

/**
 * The first one of the recommendations, or else of the search for the title, that is neither finished nor dismissed.
 * Undefined until known, null for none.
 */
function useUnfinishedRecommendation(videoId: string, title: string | undefined): Video | null | undefined {
  const { authData } = useAuth()
  const isSignedIn = authData !== null
  const userId = authData?._id ?? null
  const found = useInfiniteQuery({ ...searchQuery(title ?? ''), enabled: title !== undefined })
  const { data: positions } = useQuery({ ...positionsQuery, enabled: isSignedIn })
  const { data: dismissed } = useQuery({ ...dismissedQuery, enabled: isSignedIn })
  const finished = useMemo(() => loadFinished(userId), [userId])
  const watched = new Set(authData?.watchHistory)
  const hidden = new Set([
    videoId,
    ...finished,
    ...(dismissed?.videoIds ?? []),
    ...(dismissed?.channels.map(({ _id }) => _id) ?? []),
  ])
  const isFinished = (id: string) => {
    const position = positions?.get(id)
    // Videos of the history that no position names were watched to their end.
    return position === undefined ? watched.has(id) : position === Infinity
  }
  const isWanted = ({ _id, videoOwner, isLive }: Video) =>
    !hidden.has(_id) && !hidden.has(videoOwner._id) && (isLive || !isFinished(_id))
  // Requested after the displayed list, so that it does not delay that.
  const mixed = useQuery({ ...recommendationsQuery(videoId), enabled: found.isFetched })
  if (mixed.isPending) return undefined
  const candidates = [...(mixed.data?.map(({ video }) => video) ?? []), ...itemsOf(found.data)]
  return candidates.filter(isComplete).find(isWanted) ?? null
}

/** Whether the card has what it shows; a server may leave fields out. */
const isComplete = ({ title, videoOwner, thumbnail }: Partial<Video>) =>
  Boolean(title && videoOwner && thumbnail)

function isOpenedAsNext(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'isNext' in state
}
