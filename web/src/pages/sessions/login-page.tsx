import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ApiError, call } from '@kinora/contract/client.ts'
import type { User } from '@kinora/contract/accounts/users.ts'
import { login } from '@kinora/contract/accounts/sign-in.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useContext, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { SuspensionAnswer } from '../../features/operations/reports/suspension-answer.tsx'
import { signIn } from '../../features/accounts/sessions/api.ts'
import { AuthLayout } from '../../features/accounts/sessions/auth-layout.tsx'
import { NotifyOtherTabs } from '../../features/accounts/sessions/session-channel.ts'
import { canUsePasskeys } from '../../features/accounts/passkeys/passkey-support.ts'
import { usePasskeyLogin } from '../../features/accounts/passkeys/use-passkey-login.ts'
import { ProviderButtons } from '../../features/accounts/oidc/provider-buttons.tsx'
import { loginErrors } from '../../features/accounts/sessions/rules.ts'
import { newestVideosQuery } from '../../features/videos/videos/api.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { focusFirstInvalid } from '../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { type LoginReason, loginReasonOf } from '../../lib/login-reason.ts'
import { settings } from '../../lib/settings.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { paths } from '../../paths.ts'
import { Alert } from '../../ui/feedback/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import styles from './login-page.module.css'

/** Signs in by email and password. The `GuestsOnly` guard then redirects to the home page. */
export function LoginPage() {
  const client = useQueryClient()
  const notifyOtherTabs = useContext(NotifyOtherTabs)
  const { data: newest } = useQuery(newestVideosQuery)
  const { state } = useLocation()
  const purpose = purposeOf(loginReasonOf(state))
  const [errors, setErrors] = useState<ReturnType<typeof loginErrors>>({})
  /** The site asks for a code, or lets one in past its limit of failed attempts, as it does passkeys. */
  const [codeReason, setCodeReason] = useState<'required' | 'limited'>()
  const enter = (user: User) => {
    signIn(client, user)
    notifyOtherTabs()
  }
  const passkey = usePasskeyLogin(enter)
  const submission = useMutation({
    mutationFn: (body: { email: string; password: string; code?: string }) => call(login, { body }),
    onSuccess: ({ user }) => enter(user),
    onError: (error) => {
      if (!(error instanceof ApiError)) return
      if (error.code === 'second_factor_required') setCodeReason('required')
      else if (error.code === 'too_many_requests') setCodeReason((reason) => reason ?? 'limited')
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (submission.isPending) return
    const fields = new FormData(event.currentTarget)
    const form = { email: textOf(fields, 'email').trim(), password: textOf(fields, 'password') }
    const found = loginErrors(form)
    setErrors(found)
    submission.reset()
    if (Object.keys(found).length > 0) focusFirstInvalid(event.currentTarget, found)
    else {
      const code = textOf(fields, 'code').trim()
      const sendsCode = codeReason === 'required' || code !== ''
      submission.mutate(sendsCode ? { ...form, code } : form)
    }
  }

  return (
    <AuthLayout videos={newest?.items}>
      <PageTitle title={t`Login`} />
      <h1>{t`Login`}</h1>
      {purpose && <p className={styles['reason']}>{purpose}</p>}
      <p>{t`Log in to see your subscriptions and history.`}</p>
      {passkey.error && <Alert>{failureMessage(passkey.error, t`Your browser offered no passkey`)}</Alert>}
      {submission.isError && <Alert>{failureMessage(submission.error)}</Alert>}
      <form onSubmit={submit} noValidate>
        <Field
          label={t`Email`}
          name="email"
          type="email"
          autoComplete="email webauthn"
          required
          error={errors.email}
          hint={errors.email && t`The email address of your account, not your username.`}
          onFocus={passkey.offer}
        />
        <PasswordField
          label={t`Password`}
          name="password"
          autoComplete="current-password"
          required
          error={errors.password}
        />
        {codeReason && (
          <Field
            label={t`Code`}
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            hint={
              codeReason === 'required'
                ? t`From your authenticator app, or a recovery code.`
                : t`A code from your authenticator app, a recovery code or a passkey lets you in without waiting.`
            }
          />
        )}
        <Button type="submit" variant="solid" disabled={submission.isPending}>
          {submission.isPending ? t`Loading..` : t`Login`}
        </Button>
      </form>
      {submission.isError && submission.variables && (
        <SuspensionAnswer
          key={submission.submittedAt}
          error={submission.error}
          credentials={submission.variables}
        />
      )}
      <ProviderButtons />
      {(passkey.isKnown || (codeReason === 'limited' && canUsePasskeys())) && (
        <p className={styles['other']}>
          <Button onClick={passkey.login}>{t`Use a passkey`}</Button>
        </p>
      )}
      {!settings.hasMail && settings.siteContact !== '' && (
        <p className={styles['other']}>
          {t`Cannot log in? Ask the people who run this site: ${settings.siteContact}`}
        </p>
      )}
      {settings.hasMail && (
        <p className={styles['other']}>
          <Link to={paths.forgotPassword()}>{t`Recover your account`}</Link>
        </p>
      )}
      <p className={styles['other']}>
        <Trans>
          New here?{' '}
          <Link to={paths.register()} state={state}>
            Create an account
          </Link>
        </Trans>
      </p>
    </AuthLayout>
  )
}

/** Purpose of the login, where a page has sent the visitor here. */
function purposeOf(reason: LoginReason | undefined): string | undefined {
  const { title = '', person = '' } = reason ?? {}
  switch (reason?.wish) {
    case 'like':
      return t`Log in to like “${title}”.`
    case 'like-comment':
      return t`Log in to like a comment on “${title}”.`
    case 'comment':
      return t`Log in to comment on “${title}”.`
    case 'subscribe':
      return t`Log in to subscribe to ${person}.`
    case 'channel':
      return t`Log in to see the channel of ${title}.`
    case 'page':
      return title === '' ? t`Log in to see the page that you opened.` : t`Log in to go on with “${title}”.`
    case 'watch':
    case undefined:
      return undefined
  }
}
