import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { call } from '@kinora/contract/client.ts'
import { requestPasswordReset } from '@kinora/contract/accounts/passwords.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { AuthLayout } from '../../features/accounts/sessions/auth-layout.tsx'
import { emailError } from '../../features/accounts/sessions/rules.ts'
import { newestVideosQuery } from '../../features/videos/videos/api.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../lib/forms/use-endpoint-form.ts'
import { settings } from '../../lib/settings.ts'
import { paths } from '../../paths.ts'
import { Status } from '../../ui/feedback/alert.tsx'
import { EndpointForm } from '../../ui/forms/endpoint-form.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { ErrorPage } from '../error-page.tsx'
import styles from './login-page.module.css'

/** Asks for a mail with a link for a new password. */
export function ForgotPasswordPage() {
  const { data: newest } = useQuery(newestVideosQuery)
  const emailOf = (fields: FormData) => textOf(fields, 'email').trim()
  const form = useEndpointForm({
    fields: ['email'],
    check: (fields) => ({ email: emailError(emailOf(fields)) }),
    send: (fields) => call(requestPasswordReset, { body: { email: emailOf(fields) } }),
  })
  if (!settings.hasMail) return <ErrorPage />
  return (
    <AuthLayout videos={newest?.items}>
      <PageTitle title={t`Forgot password`} />
      <h1>{t`Forgot password`}</h1>
      {form.isSent ? (
        <Status>
          <Trans>
            If an account has this address, a mail with a link is on its way. The link works for 30 minutes.
          </Trans>
        </Status>
      ) : (
        <>
          <p>{t`You get a mail with a link to choose a new password.`}</p>
          <EndpointForm form={form} submit={t`Send the link`} pending={t`Sending…`}>
            <Field label={t`Email`} type="email" autoComplete="email" required {...form.field('email')} />
          </EndpointForm>
        </>
      )}
      <p className={styles['other']}>
        <Link to={paths.login()}>{t`Back to login`}</Link>
      </p>
    </AuthLayout>
  )
}
