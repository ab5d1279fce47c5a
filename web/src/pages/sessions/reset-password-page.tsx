import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { call } from '@kinora/contract/client.ts'
import { resetPassword } from '@kinora/contract/accounts/passwords.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useContext } from 'react'
import { Link, useLocation } from 'react-router'
import { recheckAuth, signOut } from '../../features/accounts/sessions/api.ts'
import { AuthLayout } from '../../features/accounts/sessions/auth-layout.tsx'
import { newPasswordError } from '../../features/accounts/sessions/rules.ts'
import { NotifyOtherTabs } from '../../features/accounts/sessions/session-channel.ts'
import { newestVideosQuery } from '../../features/videos/videos/api.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../lib/forms/use-endpoint-form.ts'
import { settings } from '../../lib/settings.ts'
import { paths } from '../../paths.ts'
import { Status } from '../../ui/feedback/alert.tsx'
import { EndpointForm } from '../../ui/forms/endpoint-form.tsx'
import { NewPasswordField } from '../../ui/forms/new-password-field.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './login-page.module.css'

/** Sets a new password by the link of a mail. Every session of the account ends, also one in this browser. */
export function ResetPasswordPage() {
  const client = useQueryClient()
  const notifyOtherTabs = useContext(NotifyOtherTabs)
  const code = useLocation().hash.slice(1)
  const { data: newest } = useQuery(newestVideosQuery)
  const form = useEndpointForm({
    fields: ['newPassword'],
    check: (fields) => ({ newPassword: newPasswordError(textOf(fields, 'newPassword')) }),
    send: (fields) => call(resetPassword, { body: { code, newPassword: textOf(fields, 'newPassword') } }),
    onSuccess: () => {
      signOut(client)
      // somebody else may be signed in here
      void recheckAuth(client)
      notifyOtherTabs()
    },
  })

  return (
    <AuthLayout videos={newest?.items}>
      <PageTitle title={t`Choose a new password`} />
      <h1>{t`Choose a new password`}</h1>
      {form.isSent ? (
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
          <EndpointForm form={form} submit={t`Save password`} pending={t`Saving…`}>
            <NewPasswordField
              label={t`New password`}
              required
              hint={t`At least ${settings.passwordMinLength} characters.`}
              {...form.field('newPassword')}
            />
          </EndpointForm>
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
