import { t } from '@lingui/core/macro'
import { finishOidc } from '@kinora/contract/accounts/oidc.ts'
import { call } from '@kinora/contract/client.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useContext, useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { authQuery, signIn } from '../../features/accounts/sessions/api.ts'
import { AuthLayout } from '../../features/accounts/sessions/auth-layout.tsx'
import { NotifyOtherTabs } from '../../features/accounts/sessions/session-channel.ts'
import { newestVideosQuery } from '../../features/videos/videos/api.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { paths } from '../../paths.ts'
import { Alert, Status } from '../../ui/feedback/alert.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './login-page.module.css'

/** Where an identity provider sends the browser back. */
export function OidcPage() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const notifyOtherTabs = useContext(NotifyOtherTabs)
  const { data: newest } = useQuery(newestVideosQuery)
  const { provider = '' } = useParams()
  const { search } = useLocation()
  const finishing = useMutation({
    mutationFn: (query: string) => call(finishOidc, { params: { provider }, body: { query } }),
    onSuccess: async ({ user, isLinked }) => {
      // after another sign-in of the same account, the dialog that asked for it continues
      const isAgain = client.getQueryData(authQuery.queryKey)?.authData?._id === user._id
      signIn(client, user)
      notifyOtherTabs()
      await navigate(isLinked || isAgain ? paths.account('security') : paths.home(), { replace: true })
    },
  })
  const hasBegun = useRef(false)
  const { mutate } = finishing
  useEffect(() => {
    // the response counts once, also where effects run twice
    if (hasBegun.current) return
    hasBegun.current = true
    mutate(search)
  }, [mutate, search])

  return (
    <AuthLayout videos={newest?.items}>
      <PageTitle title={t`Sign in`} />
      <h1>{t`Sign in`}</h1>
      {finishing.isError ? (
        <>
          <Alert>{failureMessage(finishing.error)}</Alert>
          <p className={styles['other']}>
            <Link to={paths.login()}>{t`Back to the login page`}</Link>
          </p>
        </>
      ) : (
        <Status>{t`Signing you in…`}</Status>
      )}
    </AuthLayout>
  )
}
