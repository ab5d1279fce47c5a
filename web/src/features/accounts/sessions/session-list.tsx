import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  endOtherSessions,
  endSession,
  listSessions,
  type Session,
} from '@kinora/contract/accounts/sessions.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatAgeInSentence } from '../../../lib/format/age.ts'
import { deviceName } from '../../../lib/format/device-name.ts'
import { accountKeys } from '../../../lib/account-keys.ts'
import { useRowAction } from '../../../lib/use-row-action.ts'
import { Button } from '../../../ui/button.tsx'
import { RevocableList } from '../../../ui/revocable-list.tsx'

const sessionsQuery = queryOptions({
  queryKey: accountKeys.list,
  queryFn: ({ signal }) => call(listSessions, { signal }),
})

/** The sessions of the account, each with a button that ends it. */
export function SessionList() {
  const [nowMs] = useState(() => Date.now())
  const query = useQuery(sessionsQuery)
  const ending = useRowAction({
    run: (session: Session | 'others') =>
      session === 'others'
        ? call(endOtherSessions, {})
        : call(endSession, { params: { sessionId: session._id } }),
    done: (session) =>
      session === 'others' ? t`The other devices are signed out.` : t`That device is signed out.`,
    queryKey: sessionsQuery.queryKey,
  })
  return (
    <RevocableList
      label={t`Devices`}
      query={query}
      failure={t`Could not load your devices`}
      action={ending}
      rowOf={({ _id: key, device, createdAt, usedAt, isCurrent }) => ({
        key,
        title: deviceName(device),
        badge: isCurrent && t`This device`,
        note: (
          <Trans>
            Used <time dateTime={usedAt}>{formatAgeInSentence(usedAt, nowMs)}</time>, signed in{' '}
            <time dateTime={createdAt}>{formatAgeInSentence(createdAt, nowMs)}</time>
          </Trans>
        ),
        revoke: isCurrent
          ? undefined
          : { label: t`End session`, name: t`End session of ${deviceName(device, t`an unknown device`)}` },
      })}
    >
      {query.data && query.data.length > 1 && (
        <Button
          disabled={ending.isPending}
          onClick={() => ending.start('others')}
        >{t`End all other sessions`}</Button>
      )}
    </RevocableList>
  )
}
