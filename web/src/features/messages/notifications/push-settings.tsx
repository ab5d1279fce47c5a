import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import {
  deletePushSubscription,
  getNotificationPushes,
  putNotificationPushes,
  putPushSubscription,
} from '@kinora/contract/messages/notification-pushes.ts'
import { ApiError, call } from '@kinora/contract/client.ts'
import type { NotificationKind } from '@kinora/contract/messages/notifications.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  findPushEndpoint,
  type PushSupport,
  pushSupport,
  subscribeToPush,
  unsubscribeFromPush,
} from '../../../lib/browser/push.ts'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { notificationSettingKeys } from '../../../lib/rare-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { mutedQuery, useKinds } from './api.ts'
import { kindNames } from './kind-names.ts'
import styles from './notification-settings.module.css'

export const pushesQuery = queryOptions({
  queryKey: notificationSettingKeys.pushes,
  queryFn: async ({ signal }) => {
    const [pushes, endpoint] = await Promise.all([
      call(getNotificationPushes, { signal }),
      findPushEndpoint(),
    ])
    // the browser, and the session of the site, may each have ended it
    return { ...pushes, isOn: endpoint !== null && endpoint === pushes.endpoint }
  },
})

const unsupportedTexts: Record<Exclude<PushSupport, 'supported'>, MessageDescriptor> = {
  insecure: msg`This site can notify a device only at an https address.`,
  needs_install: msg`On iPhone and iPad, a site has to be on the Home Screen: press Share, choose “Add to Home Screen”, open the site from there, and come back to these settings.`,
  unsupported: msg`This browser does not support web push. Use another browser to be notified while the site is closed.`,
}

const blocked = msg`Your browser blocks notifications of this site. Allow them in the site settings, next to the address bar, and reload this page.`

/** Whether this device is notified while the site is closed, and of what. A change is saved immediately. */
export function PushSettings() {
  const support = pushSupport()
  return (
    <section aria-labelledby="push-settings" className={styles['push']}>
      <h3 id="push-settings">{t`On this device`}</h3>
      {support === 'supported' ? (
        <Device />
      ) : (
        <p className={styles['note']}>{i18n._(unsupportedTexts[support])}</p>
      )}
    </section>
  )
}

function Device() {
  const client = useQueryClient()
  const { data: pushes, isError, refetch } = useQuery(pushesQuery)
  const { data: mutedOnSite = [] } = useQuery(mutedQuery)
  const allKinds = useKinds()
  const reload = () => client.invalidateQueries(pushesQuery)
  const switching = useMutation({
    mutationFn: async ({ on, publicKey }: { on: boolean; publicKey: string }) => {
      if (!on) {
        await call(deletePushSubscription, {})
        return unsubscribeFromPush()
      }
      // first: browsers ask only for as long as the press of the button counts
      if ((await Notification.requestPermission()) !== 'granted') return undefined
      const { endpoint = '', keys } = (await subscribeToPush(publicKey)).toJSON()
      const body = { endpoint, keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } }
      await call(putPushSubscription, { body })
    },
    onSettled: reload,
  })
  const muting = useMutation({
    // one after the other: the last choice wins
    scope: { id: 'muted-pushes' },
    mutationFn: (muted: NotificationKind[]) => call(putNotificationPushes, { body: { muted } }),
    onMutate: (muted) => client.setQueryData(pushesQuery.queryKey, (old) => old && { ...old, muted }),
    onError: reload,
  })
  if (!pushes)
    return isError ? (
      <LoadFailure title={t`Could not load your settings`} onRetry={() => void refetch()} />
    ) : (
      <Skeleton />
    )
  const { isOn, muted, publicKey } = pushes
  const isBlocked = Notification.permission === 'denied'
  return (
    <>
      <p className={styles['note']} role="status">
        {isBlocked
          ? i18n._(blocked)
          : isOn
            ? t`On. This device is notified even while this site is closed.`
            : t`Off. Notifications appear only while this site is open.`}
      </p>
      {switching.isError && <Alert>{messageOf(switching.error)}</Alert>}
      {muting.isError && <Alert>{failureMessage(muting.error)}</Alert>}
      {!isBlocked && (
        <Button
          // not disabled, which would move the focus
          aria-busy={switching.isPending}
          onClick={() => !switching.isPending && switching.mutate({ on: !isOn, publicKey })}
        >
          {switching.isPending
            ? t`Asking the browser …`
            : isOn
              ? t`Stop on this device`
              : t`Notify on this device`}
        </Button>
      )}
      {isOn && (
        <>
          <p className={styles['note']}>{t`Your devices are notified of:`}</p>
          <ul className={styles['kinds']}>
            {allKinds.map((kind) => (
              <li key={kind}>
                <label>
                  <input
                    type="checkbox"
                    aria-label={t`${i18n._(kindNames[kind])}, on devices`}
                    checked={!muted.includes(kind) && !mutedOnSite.includes(kind)}
                    disabled={mutedOnSite.includes(kind)}
                    onChange={({ target }) => {
                      const others = muted.filter((each) => each !== kind)
                      muting.mutate(target.checked ? others : [...others, kind])
                    }}
                  />
                  {i18n._(kindNames[kind])}
                  {mutedOnSite.includes(kind) && ` (${t`switched off above`})`}
                </label>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** Errors of the browser are in words for developers. */
function messageOf(error: unknown): string {
  return error instanceof ApiError
    ? failureMessage(error)
    : t`The browser could not reach its push service. Check the connection and the notification settings of the browser, and try again.`
}
