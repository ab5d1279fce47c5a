import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import { authQuery } from '../../features/accounts/sessions/api.ts'
import { useAuth, useAuthRecheck } from '../../features/accounts/sessions/use-auth.ts'
import { useOnRefused } from '../../features/accounts/sessions/use-on-refused.ts'
import { recordWatched } from '../../features/watching/history/api.ts'
import { likeCountQuery, likedQuery } from '../../features/conversation/likes/api.ts'
import { useLikeToggle } from '../../features/conversation/likes/use-like-toggle.ts'
import { subscribedQuery } from '../../features/watching/subscriptions/api.ts'
import { useSubscriptionToggle } from '../../features/watching/subscriptions/use-subscription-toggle.ts'
import { recordVideoView, videoQuery } from '../../features/videos/videos/details/api.ts'
import { failedPage } from '../../lib/failed-page.ts'
import { type LoginWish, loginState } from '../../lib/login-reason.ts'
import { isNotFound } from '../../lib/is-not-found.ts'
import { paths } from '../../paths.ts'

/** Data and actions of one visit to a video. Records the view and the history entry once per visit. */
export function useVisit(videoId: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const auth = useAuth()
  useAuthRecheck()
  const { data: video, isLoadingError, error } = useQuery(videoQuery(videoId))
  const isSignedIn = auth.authStatus === true
  const isKnown = video !== undefined
  // It may be announced as a premiere.
  const isMissing = isLoadingError && isNotFound(error)

  useEffect(() => {
    if (isLoadingError && !isMissing)
      void navigate(paths.notFound(), { replace: true, state: failedPage(error, location) })
  }, [isLoadingError, isMissing, error, navigate])
  useOnce(isKnown, () => recordVideoView(videoId))
  useOnce(isKnown && isSignedIn, () => recordWatched(videoId))

  const liked = useQuery({ ...likedQuery(videoId), enabled: isSignedIn })
  // The specification does not require the like count in the video.
  const includedLikes: number | undefined = video?.totalLikes
  const likeCount = useQuery({ ...likeCountQuery(videoId), enabled: isKnown && includedLikes === undefined })
  const subscribed = useQuery({ ...subscribedQuery(videoId), enabled: isSignedIn })
  const isLiked = isSignedIn && liked.data?.liked === true
  const isUndecided = auth.authStatus === null || (isSignedIn && subscribed.isPending)
  const isSubscribed = isUndecided ? undefined : isSignedIn && subscribed.data?.subbed === true

  const countLikes = () =>
    client.getQueryData(videoQuery(videoId).queryKey)?.totalLikes ??
    client.getQueryData(likeCountQuery(videoId).queryKey) ??
    0
  function setLiked(isNowLiked: boolean, totalLikes: number) {
    void client.cancelQueries({ queryKey: likedQuery(videoId).queryKey })
    client.setQueryData(likedQuery(videoId).queryKey, { liked: isNowLiked })
    client.setQueryData(videoQuery(videoId).queryKey, (before) => before && { ...before, totalLikes })
  }
  function setSubscribed(isNowSubscribed: boolean, totalSubs: (before: number) => number) {
    void client.cancelQueries({ queryKey: subscribedQuery(videoId).queryKey })
    client.setQueryData(subscribedQuery(videoId).queryKey, { subbed: isNowSubscribed })
    client.setQueryData(
      videoQuery(videoId).queryKey,
      (before) => before && { ...before, totalSubs: totalSubs(before.totalSubs) },
    )
  }

  const onRefused = useOnRefused(video?.title)
  const like = useLikeToggle({
    videoId,
    onFlip() {
      const wasLiked = client.getQueryData(likedQuery(videoId).queryKey)?.liked === true
      setLiked(!wasLiked, Math.max(0, countLikes() + (wasLiked ? -1 : 1)))
    },
    onResponse: (state) => setLiked(state.liked, state.totalLikes),
    onRefused,
  })
  const removeLike = () => {
    if (client.getQueryData(likedQuery(videoId).queryKey)?.liked) like.toggle()
  }
  const subscription = useSubscriptionToggle({
    username: video?.videoOwner.username ?? '',
    onFlip() {
      const wasSubscribed = client.getQueryData(subscribedQuery(videoId).queryKey)?.subbed === true
      setSubscribed(!wasSubscribed, (before) => Math.max(0, before + (wasSubscribed ? -1 : 1)))
    },
    onResponse: (state) => setSubscribed(state.subbed, () => state.totalSub),
    onRefused,
  })

  /** History state of the login page, which says why it opened. */
  const loginStateFor = (wish: LoginWish) =>
    loginState({
      wish,
      title: video?.title ?? '',
      person: video?.videoOwner.fullname,
      path: paths.watch(videoId) + location.search,
    })
  /** Runs an action if signed in, else opens the login page. Waits for the session check. */
  async function runSignedIn(act: () => void, wish: LoginWish) {
    const { href } = location
    const { authStatus } = await client.fetchQuery(authQuery)
    if (authStatus) act()
    // Does nothing if the user has navigated meanwhile.
    else if (location.href === href) await navigate(paths.login(), { state: loginStateFor(wish) })
  }
  const requireSession = (act: () => void, wish: LoginWish) => void runSignedIn(act, wish)

  return {
    video,
    isMissing,
    /** It was deleted, or hidden, since the page was opened. */
    isGone: isKnown && isNotFound(error),
    auth,
    isSignedIn,
    isLiked,
    totalLikes: includedLikes ?? likeCount.data ?? 0,
    /** Undefined until loaded. */
    isSubscribed,
    requireSession,
    loginStateFor,
    onRefused,
    hasLikeFailed: like.hasFailed,
    hasSubscribeFailed: subscription.hasFailed,
    like: () => requireSession(like.toggle, 'like'),
    /** A dislike only removes a like, even one that has not rendered yet. */
    dislike: () => requireSession(removeLike, 'like'),
    subscribe: () => requireSession(subscription.toggle, 'subscribe'),
  }
}

/** Runs an action once when due, also where effects run twice. Failures are only logged. */
function useOnce(isDue: boolean, act: () => Promise<unknown>) {
  const isDone = useRef(false)
  const begin = useEffectEvent(act)
  useEffect(() => {
    if (!isDue || isDone.current) return
    isDone.current = true
    begin().catch((error: unknown) => console.error('The visit was not recorded', error))
  }, [isDue])
}
