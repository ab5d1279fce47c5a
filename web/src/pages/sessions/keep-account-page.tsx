import { dateLocale } from '../../lib/i18n/language.ts'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { getAccountDeletion, keepAccount } from '@kinora/contract/portability/account-deletion.ts'
import { logout } from '@kinora/contract/accounts/sessions.ts'
import { ApiError, call } from '@kinora/contract/client.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useContext, useRef } from 'react'
import { Link } from 'react-router'
import { recheckAuth } from '../../features/accounts/sessions/api.ts'
import { AuthLayout } from '../../features/accounts/sessions/auth-layout.tsx'
import { NotifyOtherTabs } from '../../features/accounts/sessions/session-channel.ts'
import { newestVideosQuery } from '../../features/videos/videos/api.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { accountKeys } from '../../lib/account-keys.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Alert, Status } from '../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './login-page.module.css'

const timeFormat = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'long', timeStyle: 'short' })

/** The only page of a session whose account is being deleted: says when, and keeps the account. */
export function KeepAccountPage() {
  const client = useQueryClient()
  const notifyOtherTabs = useContext(NotifyOtherTabs)
  const heading = useRef<HTMLHeadingElement>(null)
  const { data: newest } = useQuery(newestVideosQuery)
  const deletion = useQuery({
    queryKey: accountKeys.deletion,
    queryFn: ({ signal }) => call(getAccountDeletion, { signal }).catch(orNullWhenNotFound),
  })
  const keep = useMutation({
    mutationFn: () => call(keepAccount, {}),
    onSuccess: async () => {
      // the focused button disappears
      heading.current?.focus()
      await recheckAuth(client)
      notifyOtherTabs()
    },
  })
  const logOut = useMutation({
    mutationFn: () => call(logout, {}),
    onSuccess: () => location.replace(paths.home()),
  })
  const title = keep.isSuccess ? t`Your account is kept` : t`Your account is being deleted`
  return (
    <AuthLayout videos={newest?.items}>
      <PageTitle title={title} />
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {keep.isSuccess ? (
        <>
          <Status>{t`Everybody sees your channel, videos and comments again.`}</Status>
          <p className={styles['other']}>
            <Link to={paths.home()}>{t`Go to the home page`}</Link>
          </p>
        </>
      ) : deletion.isPending ? (
        <p role="status">{t`Loading…`}</p>
      ) : deletion.isError ? (
        <LoadFailure title={t`This could not be loaded`} onRetry={() => void deletion.refetch()} />
      ) : deletion.data === null ? (
        <>
          <p>{t`Log in to an account that you deleted, and you can keep it here.`}</p>
          <p className={styles['other']}>
            <Link to={paths.login()}>{t`Go to the login page`}</Link>
          </p>
        </>
      ) : (
        <>
          <p>
            <Trans>
              <bdi>{deletion.data.username}</bdi> is removed on{' '}
              <time dateTime={deletion.data.deletesAt}>
                {timeFormat.format(new Date(deletion.data.deletesAt))}
              </time>
              , with all videos, comments, likes and subscriptions, and the answers of others below the
              comments. Until then nobody sees any of it.
            </Trans>
          </p>
          {keep.isError && <Alert>{failureMessage(keep.error)}</Alert>}
          {logOut.isError && <Alert>{failureMessage(logOut.error)}</Alert>}
          <p className={styles['action']}>
            <Button
              variant="solid"
              disabled={keep.isPending}
              onClick={() => keep.mutate()}
            >{t`Keep my account`}</Button>
          </p>
          <p className={styles['other']}>
            <Button disabled={logOut.isPending} onClick={() => logOut.mutate()}>{t`Log out`}</Button>
          </p>
        </>
      )}
    </AuthLayout>
  )
}

/** Other sessions, and visitors, have no account that is being deleted. */
function orNullWhenNotFound(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}
