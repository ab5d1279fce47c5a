import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { endOtherSessions, endSession, listSessions } from '@kinora/contract/accounts/sessions.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { formatAgeInSentence } from '../../../lib/format/age.ts'
import { deviceName } from '../../../lib/format/device-name.ts'
import { sessionKeys } from '../../../lib/query-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert, Status } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Row, RowList } from '../../../ui/row-list.tsx'

const sessionsQuery = queryOptions({
  queryKey: sessionKeys.list,
  queryFn: ({ signal }) => call(listSessions, { signal }),
})

/** The sessions of the account, each with a button that ends it. */
export function SessionList() {
  const client = useQueryClient()
  const [nowMs] = useState(() => Date.now())
  const list = useRef<HTMLUListElement>(null)
  const { data: sessions, isError, refetch } = useQuery(sessionsQuery)
  const ending = useMutation({
    mutationFn: (sessionId: string | undefined) =>
      sessionId === undefined ? call(endOtherSessions, {}) : call(endSession, { params: { sessionId } }),
    // the focused button disappears
    onSuccess: () => list.current?.focus(),
    onSettled: () => client.invalidateQueries(sessionsQuery),
  })
  if (isError && !sessions)
    return <LoadFailure title={t`Could not load your devices`} onRetry={() => void refetch()} />
  if (!sessions) return <Skeleton />
  return (
    <>
      <RowList ref={list} label={t`Devices`}>
        {sessions.map(({ _id: id, device, createdAt, usedAt, isCurrent }) => (
          <Row
            key={id}
            title={deviceName(device)}
            badge={isCurrent && t`This device`}
            note={
              <>
                <Trans>
                  Used <time dateTime={usedAt}>{formatAgeInSentence(usedAt, nowMs)}</time>, signed in{' '}
                  <time dateTime={createdAt}>{formatAgeInSentence(createdAt, nowMs)}</time>
                </Trans>
              </>
            }
            controls={
              !isCurrent && (
                <Button
                  disabled={ending.isPending}
                  aria-label={t`End session of ${deviceName(device, t`an unknown device`)}`}
                  onClick={() => ending.mutate(id)}
                >{t`End session`}</Button>
              )
            }
          />
        ))}
      </RowList>
      {ending.isError && <Alert>{failureMessage(ending.error)}</Alert>}
      <Status>
        {ending.isSuccess &&
          (ending.variables === undefined
            ? t`The other devices are signed out.`
            : t`That device is signed out.`)}
      </Status>
      {sessions.length > 1 && (
        <Button
          disabled={ending.isPending}
          onClick={() => ending.mutate(undefined)}
        >{t`End all other sessions`}</Button>
      )}
    </>
  )
}
