import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { ApiError, call } from '@kinora/contract/client.ts'
import { requestRegistrationMail, register } from '@kinora/contract/accounts/registrations.ts'
import { login } from '@kinora/contract/accounts/sign-in.ts'
import type { User } from '@kinora/contract/accounts/users.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useContext, useRef, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { ProviderButtons } from '../../features/accounts/oidc/provider-buttons.tsx'
import { signIn } from '../../features/accounts/sessions/api.ts'
import { AuthLayout } from '../../features/accounts/sessions/auth-layout.tsx'
import { NotifyOtherTabs } from '../../features/accounts/sessions/session-channel.ts'
import { imageError, type Registration, registrationErrors } from '../../features/accounts/sessions/rules.ts'
import { UnsolvedError, useProofOfWork } from '../../features/accounts/sessions/use-proof-of-work.ts'
import { newestVideosQuery } from '../../features/videos/videos/api.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { focusFirstInvalid } from '../../lib/forms/focus-first-invalid.ts'
import { fileOf, textOf } from '../../lib/forms/form-fields.ts'
import { acceptPictures, pictureFormatsHint } from '../../lib/forms/picture-formats.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { settings } from '../../lib/settings.ts'
import { paths } from '../../paths.ts'
import { Alert, Status } from '../../ui/feedback/alert.tsx'
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { FileField } from '../../ui/forms/file-field.tsx'
import { NewPasswordField } from '../../ui/forms/new-password-field.tsx'
import styles from './login-page.module.css'

/** Delay before the home page opens, fixed by the specification. */
const HOME_DELAY_MS = 200

/** Creates an account and signs in. The `GuestsOnly` guard then redirects to the home page. */
export function RegisterPage() {
  const client = useQueryClient()
  const notifyOtherTabs = useContext(NotifyOtherTabs)
  const invitation = useSearchParams()[0].get('invitation') ?? ''
  const { state } = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const { data: newest } = useQuery(newestVideosQuery)
  const [errors, setErrors] = useState<ReturnType<typeof registrationErrors>>({})
  const proofOfWork = useProofOfWork()
  const [isProving, setIsProving] = useState(false)
  const submission = useMutation({
    mutationFn: (registration: Registration) => createAccount(registration, prove),
    onError: (error) => {
      const taken = takenField(error)
      if (taken) form.current?.querySelector<HTMLElement>(`[name=${taken}]`)?.focus()
    },
    onSuccess: (outcome) => {
      // the form goes
      if (typeof outcome === 'string') return heading.current?.focus()
      signIn(client, outcome)
      notifyOtherTabs()
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (submission.isPending) return
    const registration = { ...readForm(event.currentTarget), invitation }
    const found = registrationErrors(registration)
    setErrors(found)
    submission.reset()
    if (Object.keys(found).length > 0) focusFirstInvalid(event.currentTarget, found)
    else submission.mutate(registration)
  }

  async function prove(): Promise<string> {
    setIsProving(true)
    try {
      return await proofOfWork.take()
    } finally {
      setIsProving(false)
    }
  }

  /** Solved while the person types, so that nobody waits for it. */
  const beginProof = () => void (settings.registrationProofOfWork && proofOfWork.begin())

  const taken = takenField(submission.error)
  const obstacle = obstacleTo(invitation)
  const outcome = submission.data
  if (obstacle !== undefined || typeof outcome === 'string')
    return (
      <AuthLayout videos={newest?.items} wide>
        <PageTitle title={t`Register`} />
        <h1 ref={heading} tabIndex={-1}>{t`Register`}</h1>
        {obstacle !== undefined && <p>{obstacle}</p>}
        {outcome === 'approval' && (
          <Status>{t`Your account was created. You can sign in once a moderator has approved it.`}</Status>
        )}
        {outcome === 'confirmation' && <ConfirmationNote {...submission.variables} />}
        <LoginLink state={state} />
      </AuthLayout>
    )

  /** Validates a file when it is chosen, before the form is submitted. */
  function onPick(name: 'avatar' | 'coverImage', file: File | undefined) {
    setErrors((shown) => ({ ...shown, [name]: file && imageError(file) }))
  }

  return (
    <AuthLayout videos={newest?.items} wide>
      <PageTitle title={t`Register`} />
      <h1 ref={heading} tabIndex={-1}>{t`Register`}</h1>
      <p>{t`With an account you can publish videos, comment and subscribe to channels.`}</p>
      {submission.isError && <Alert>{failureMessage(submission.error, failureOf(submission.error))}</Alert>}
      <form ref={form} onSubmit={submit} noValidate>
        <div className={styles['pair']}>
          <Field
            label={t`Full name`}
            name="fullname"
            autoComplete="name"
            required
            error={errors.fullname}
            onFocus={beginProof}
          />
          <Field
            label={t`Email`}
            name="email"
            type="email"
            autoComplete="email"
            required
            error={errors.email}
            aria-invalid={taken === 'email' || undefined}
            onFocus={beginProof}
          />
          <Field
            label={t`Username`}
            onFocus={beginProof}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            error={errors.username}
            aria-invalid={taken === 'username' || undefined}
            hint={t`Letters and numbers only. Part of your channel's address.`}
          />
          <NewPasswordField
            label={t`Password`}
            name="password"
            required
            error={errors.password}
            hint={t`At least ${settings.passwordMinLength} characters.`}
          />
        </div>
        <div className={styles['pictures']}>
          <FileField
            label={t`Profile picture`}
            name="avatar"
            shape="avatar"
            prompt={t`Choose`}
            accept={acceptPictures}
            required
            hint={t`Required. ${pictureFormatsHint}`}
            error={errors.avatar}
            onPick={(file) => onPick('avatar', file)}
          />
          <FileField
            label={t`Cover picture`}
            name="coverImage"
            shape="cover"
            prompt={t`Choose a wide picture`}
            accept={acceptPictures}
            error={errors.coverImage}
            onPick={(file) => onPick('coverImage', file)}
            hint={t`Optional. Shown at the top of your channel. ${pictureFormatsHint}`}
          />
        </div>
        {settings.hasRules && (
          <p className={styles['other']}>
            <Trans>
              By registering you accept the <Link to={paths.rules()}>rules of this site</Link>.
            </Trans>
          </p>
        )}
        <Button type="submit" variant="solid" disabled={submission.isPending}>
          {submission.isPending ? t`Loading..` : t`Register`}
        </Button>
        {isProving && (
          <div className={styles['check']}>
            <p role="status">{t`Checking against automated registrations. This takes a few seconds.`}</p>
            <ProgressBar label={t`Check against automated registrations`} value={proofOfWork.progress} />
          </div>
        )}
      </form>
      {invitation !== '' && <ProviderButtons invitation={invitation} />}
      <LoginLink state={state} />
    </AuthLayout>
  )
}

function LoginLink({ state }: { state: unknown }) {
  return (
    <p className={styles['other']}>
      <Trans>
        Already have an account?{' '}
        <Link to={paths.login()} state={state}>
          Login
        </Link>
      </Trans>
    </p>
  )
}

/** The field whose value another account has; the message above the form says so. */
function takenField(error: unknown): 'username' | 'email' | undefined {
  const reason = error instanceof ApiError ? error.reason : undefined
  if (reason === 'username_taken') return 'username'
  return reason === 'email_taken' ? 'email' : undefined
}

/** Says that a link was mailed, with a button that sends it again. */
function ConfirmationNote({ email, username }: { email: string; username: string }) {
  const again = useMutation({
    mutationFn: () => call(requestRegistrationMail, { body: { email, username } }),
  })
  return (
    <>
      <Status>{t`We sent a mail to ${email}. Open its link within a day to create your account.`}</Status>
      <p className={styles['other']}>{t`Nothing arrived? Check your spam folder, or send the mail again.`}</p>
      {again.isError && <Alert>{failureMessage(again.error)}</Alert>}
      <Status>
        {again.isSuccess && t`Another mail is on its way, unless several were sent within this hour.`}
      </Status>
      <p className={styles['other']}>
        <Button disabled={again.isPending} onClick={() => again.mutate()}>
          {again.isPending ? t`Sending…` : t`Send another mail`}
        </Button>
      </p>
    </>
  )
}

const failureOf = (error: unknown) =>
  error instanceof UnsolvedError
    ? t`Your browser could not complete the check against automated registrations. Open this page at an https address, or in another browser.`
    : undefined

/** Returns the account, or what it waits for. */
async function createAccount(
  form: Registration,
  prove: () => Promise<string>,
): Promise<User | 'confirmation' | 'approval'> {
  const send = (proofOfWork: string) => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ ...form, proofOfWork }))
      if (value !== undefined && value !== '') body.append(name, value)
    return call(register, { body })
  }
  await send(settings.registrationProofOfWork ? await prove() : '').catch(async (error: unknown) => {
    // the setting has changed, or the challenge has expired, since the page was opened
    if (!(error instanceof ApiError && error.code === 'proof_of_work_required')) throw error
    await send(await prove())
  })
  if (settings.confirmEmails) return 'confirmation'
  if (settings.registration === 'approval') return 'approval'
  const { user } = await call(login, { body: { username: form.username, password: form.password } })
  await new Promise((resolve) => setTimeout(resolve, HOME_DELAY_MS))
  return user
}

/** Why nobody may register here, or nobody without an invitation. */
function obstacleTo(invitation: string): string | undefined {
  if (settings.registration === 'closed') return t`This site accepts no new accounts.`
  if (settings.registration === 'invitation' && invitation === '')
    return t`You need an invitation to this site. Open the link that you were sent.`
  return undefined
}

function readForm(element: HTMLFormElement): Omit<Registration, 'invitation'> {
  const fields = new FormData(element)
  return {
    fullname: textOf(fields, 'fullname').trim(),
    email: textOf(fields, 'email').trim(),
    username: textOf(fields, 'username').trim(),
    password: textOf(fields, 'password'),
    avatar: fileOf(fields, 'avatar'),
    coverImage: fileOf(fields, 'coverImage'),
  }
}
