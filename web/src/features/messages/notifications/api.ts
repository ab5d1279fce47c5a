import { call } from '@kinora/contract/client.ts'
import {
  type NotificationKind,
  getNotificationSettings,
  listNotifications,
  putNotificationSettings,
  readAllNotifications,
  readNotification,
} from '@kinora/contract/messages/notifications.ts'
import {
  infiniteQueryOptions,
  queryOptions,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { firstPage, pageQuery } from '../../../lib/list-pages.ts'
import { notificationKeys } from '../../../lib/query-keys.ts'
import { notificationSettingKeys } from '../../../lib/rare-keys.ts'
import { unreadQuery } from './unread.ts'

/** Notifications, newest first, page by page. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: notificationKeys.list,
  queryFn: ({ pageParam, signal }) =>
    call(listNotifications, { query: { limit: 40, ...pageQuery(pageParam) }, signal }),
  initialPageParam: firstPage,
  getNextPageParam: (page) => page.nextCursor,
  gcTime: 0,
})

const settingsQuery = queryOptions({
  queryKey: notificationSettingKeys.muted,
  queryFn: ({ signal }) => call(getNotificationSettings, { signal }),
})

/** The kinds that are switched off. */
export const mutedQuery = queryOptions({ ...settingsQuery, select: ({ muted }) => muted })

const kindsQuery = queryOptions({ ...settingsQuery, select: ({ kinds }) => kinds })

/** Kinds that the user can get; none until they are known. */
export const useKinds = (): readonly NotificationKind[] => useQuery(kindsQuery).data ?? []

function refresh(client: QueryClient) {
  return Promise.all([
    client.invalidateQueries(unreadQuery),
    client.invalidateQueries({ queryKey: notificationsQuery.queryKey }),
  ])
}

export function useReadNotification() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (notificationId: string) => call(readNotification, { params: { notificationId } }),
    onSettled: () => refresh(client),
  })
}

export function useReadAllNotifications() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(readAllNotifications, {}),
    onSettled: () => refresh(client),
  })
}

/** Switches kinds of notifications off; all others are on. */
export function useMuteNotifications() {
  const client = useQueryClient()
  return useMutation({
    // one after the other: the last choice wins
    scope: { id: 'mute-notifications' },
    mutationFn: (muted: NotificationKind[]) => call(putNotificationSettings, { body: { muted } }),
    onMutate: (muted) => client.setQueryData(settingsQuery.queryKey, (old) => old && { ...old, muted }),
    onError: () => client.invalidateQueries(settingsQuery),
  })
}
