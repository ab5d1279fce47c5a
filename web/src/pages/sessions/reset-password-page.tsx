import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { call } from '@kinora/contract/client.ts'
import { resetPassword } from '@kinora/contract/accounts/passwords.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useContext, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { recheckAuth, signOut } from '../../features/accounts/sessions/api.ts'
import { AuthLayout } from '../../features/accounts/sessions/auth-layout.tsx'
import { newPasswordError } from '../../features/accounts/sessions/rules.ts'
import { NotifyOtherTabs } from '../../features/accounts/sessions/session-channel.ts'
import { newestVideosQuery } from '../../features/videos/videos/api.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { focusFirstInvalid } from '../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { settings } from '../../lib/settings.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Alert, Status } from '../../ui/feedback/alert.tsx'
import { NewPasswordField } from '../../ui/forms/new-password-field.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './login-page.module.css'

/** Sets a new password by the link of a mail. Every session of the account ends, also one in this browser. */
export function ResetPasswordPage() {
  const client = useQueryClient()
  const notifyOtherTabs = useContext(NotifyOtherTabs)
  const code = useLocation().hash.slice(1)
  const { data: newest } = useQuery(newestVideosQuery)
  const [error, setError] = useState<string>()
  const reset = useMutation({
    mutationFn: (newPassword: string) => call(resetPassword, { body: { code, newPassword } }),
    onSuccess: () => {
      signOut(client)
      // somebody else may be signed in here
      void recheckAuth(client)
      notifyOtherTabs()
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (reset.isPending) return
    const newPassword = textOf(new FormData(event.currentTarget), 'newPassword')
    const found = newPasswordError(newPassword)
    setError(found)
    reset.reset()
    if (found) focusFirstInvalid(event.currentTarget, { newPassword: found })
    else reset.mutate(newPassword)
  }

  return (
    <AuthLayout videos={newest?.items}>
      <PageTitle title={t`Choose a new password`} />
      <h1>{t`Choose a new password`}</h1>
      {reset.isSuccess ? (
        <>
          <Status>
            <Trans>
              Your password was changed. Every device was signed out. Passkeys still work: on the account
              page, delete those that you do not know.
            </Trans>
          </Status>
          <p className={styles['other']}>
            <Link to={paths.login()}>{t`Log in with the new one`}</Link>
          </p>
        </>
      ) : (
        <>
          {reset.isError && <Alert>{failureMessage(reset.error)}</Alert>}
          <form onSubmit={submit} noValidate>
            <NewPasswordField
              label={t`New password`}
              name="newPassword"
              required
              error={error}
              hint={t`At least ${settings.passwordMinLength} characters.`}
            />
            <Button type="submit" variant="solid" disabled={reset.isPending}>
              {reset.isPending ? t`Saving…` : t`Save password`}
            </Button>
          </form>
          {settings.hasMail && (
            <p className={styles['other']}>
              <Trans>
                Does the link not work? <Link to={paths.forgotPassword()}>Ask for a new one</Link>
              </Trans>
            </p>
          )}
        </>
      )}
    </AuthLayout>
  )
}
