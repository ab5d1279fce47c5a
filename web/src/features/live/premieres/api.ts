import { call } from '@kinora/contract/client.ts'
import { deleteReminder, getPremiere, type Premiere, putReminder } from '@kinora/contract/live/premieres.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

/** A premiere, and how far the clock of the server is ahead of this browser's. */
export type TimedPremiere = Premiere & { offsetMs: number }

/** The announcement of a premiere, and its clock, which is read half-way between request and response. */
export const premiereQuery = (videoId: string) =>
  queryOptions({
    queryKey: ['premieres', videoId],
    queryFn: async ({ signal }): Promise<TimedPremiere> => {
      const askedMs = Date.now()
      const premiere = await call(getPremiere, { params: { videoId }, signal })
      return { ...premiere, offsetMs: Date.parse(premiere.now) - (askedMs + Date.now()) / 2 }
    },
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })

/** How many seconds ago a premiere began, by the clock of the server; negative before. */
export const secondsSince = ({ startsAt, offsetMs }: Pick<TimedPremiere, 'startsAt' | 'offsetMs'>) =>
  (Date.now() + offsetMs - Date.parse(startsAt)) / 1000

/** Until a video is public, its scheduled time may be past by this much. */
const publishedWithinSeconds = 60

/** Whether a premiere has not begun, or the site is about to publish it. An announced stream may begin later than planned. */
export const isAwaited = (premiere: TimedPremiere): boolean =>
  premiere.isStream === true || secondsSince(premiere) < publishedWithinSeconds

/** How often the page of a premiere looks whether the video is public, from its time on. */
const beginMs = 500
/** The same for a stream, which may begin before its time, or hours later. */
const streamMs = 4000
const lateStreamMs = 30_000
const lateSeconds = 300

/** Time until the page of a premiere or a stream that is due looks again whether it has begun. Viewers do not all ask at the same moment. */
export function nextLookMs(premiere: TimedPremiere): number {
  const streamEveryMs = secondsSince(premiere) > lateSeconds ? lateStreamMs : streamMs
  const everyMs = premiere.isStream ? streamEveryMs : beginMs
  return everyMs * (1 + Math.random())
}

/** Asks to be notified when a premiere begins, or takes that back. */
export function useReminder(videoId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (isWanted: boolean) => call(isWanted ? putReminder : deleteReminder, { params: { videoId } }),
    onSuccess: (_, isReminded) =>
      client.setQueryData(premiereQuery(videoId).queryKey, (before) => before && { ...before, isReminded }),
  })
}
