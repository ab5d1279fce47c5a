import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { call } from '@kinora/contract/client.ts'
import { requestPasswordReset } from '@kinora/contract/accounts/passwords.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { AuthLayout } from '../../features/accounts/sessions/auth-layout.tsx'
import { emailError } from '../../features/accounts/sessions/rules.ts'
import { newestVideosQuery } from '../../features/videos/videos/api.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { focusFirstInvalid } from '../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { settings } from '../../lib/settings.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Alert, Status } from '../../ui/feedback/alert.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { ErrorPage } from '../error-page.tsx'
import styles from './login-page.module.css'

/** Asks for a mail with a link for a new password. */
export function ForgotPasswordPage() {
  const { data: newest } = useQuery(newestVideosQuery)
  const [error, setError] = useState<string>()
  const request = useMutation({
    mutationFn: (email: string) => call(requestPasswordReset, { body: { email } }),
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (request.isPending) return
    const email = textOf(new FormData(event.currentTarget), 'email').trim()
    const found = emailError(email)
    setError(found)
    request.reset()
    if (found) focusFirstInvalid(event.currentTarget, { email: found })
    else request.mutate(email)
  }

  if (!settings.hasMail) return <ErrorPage />
  return (
    <AuthLayout videos={newest?.items}>
      <PageTitle title={t`Forgot password`} />
      <h1>{t`Forgot password`}</h1>
      {request.isSuccess ? (
        <Status>
          <Trans>
            If an account has this address, a mail with a link is on its way. The link works for 30 minutes.
          </Trans>
        </Status>
      ) : (
        <>
          <p>{t`You get a mail with a link to choose a new password.`}</p>
          {request.isError && <Alert>{failureMessage(request.error)}</Alert>}
          <form onSubmit={submit} noValidate>
            <Field label={t`Email`} name="email" type="email" autoComplete="email" required error={error} />
            <Button type="submit" variant="solid" disabled={request.isPending}>
              {request.isPending ? t`Sending…` : t`Send the link`}
            </Button>
          </form>
        </>
      )}
      <p className={styles['other']}>
        <Link to={paths.login()}>{t`Back to login`}</Link>
      </p>
    </AuthLayout>
  )
}
