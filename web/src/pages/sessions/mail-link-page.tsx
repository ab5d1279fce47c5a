import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { confirmEmail, keepEmail } from '@kinora/contract/accounts/emails.ts'
import { unsubscribeFromMails } from '@kinora/contract/messages/notification-mails.ts'
import { confirmRegistration } from '@kinora/contract/accounts/registrations.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { recheckAuth } from '../../features/accounts/sessions/api.ts'
import { AuthLayout } from '../../features/accounts/sessions/auth-layout.tsx'
import { newestVideosQuery } from '../../features/videos/videos/api.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { notificationSettingKeys } from '../../lib/rare-keys.ts'
import { accountKeys } from '../../lib/account-keys.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Alert, Status } from '../../ui/feedback/alert.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './login-page.module.css'

/** Confirms an email address by the link of a mail. */
export function ConfirmEmailPage() {
  return (
    <MailLinkPage
      title={t`Confirm your email address`}
      note={t`Confirm that you asked for mails to this address.`}
      button={t`Confirm address`}
      done={t`Your email address is confirmed.`}
      follow={(code) => call(confirmEmail, { body: { code } })}
    />
  )
}

/** Creates the account of a registration by the link of a mail. */
export function ConfirmRegistrationPage() {
  return (
    <MailLinkPage
      title={t`Confirm your email address`}
      note={t`Confirm that this address is yours to create your account.`}
      button={t`Confirm address`}
      follow={(code) => call(confirmRegistration, { body: { code } })}
      done={({ awaitsApproval }) =>
        awaitsApproval
          ? t`Your email address is confirmed. You can sign in once a moderator has approved your account.`
          : t`Your email address is confirmed, and your account is ready.`
      }
      next={{ label: t`Log in`, to: paths.login() }}
    />
  )
}

/** Stops a change of the email address by the link in the mail to the previous one. */
export function KeepEmailPage() {
  return (
    <MailLinkPage
      title={t`Keep your email address`}
      note={t`The change is stopped, and every device is signed out.`}
      button={t`Keep address`}
      done={t`Your account keeps this address. Every device was signed out. Choose a new password if somebody else may know yours.`}
      follow={(code) => call(keepEmail, { body: { code } })}
    />
  )
}

/** Ends mails of a kind by the link in one of them. Needs no session. */
export function UnsubscribePage() {
  const [query] = useSearchParams()
  const token = query.get('token') ?? ''
  return (
    <MailLinkPage
      title={t`Stop these mails`}
      note={t`Ends mails like the one that you opened. Notifications on the site stay as they are.`}
      button={t`Stop mails`}
      done={t`You get no more of these mails.`}
      follow={() => call(unsubscribeFromMails, { body: { token } })}
    />
  )
}

/** A button for what a link in a mail does: programs that check mails open their links, but press no buttons. */
function MailLinkPage<Result>({
  title,
  note,
  button,
  done,
  next = { label: t`Go to the home page`, to: paths.home() },
  follow,
}: {
  title: string
  note: string
  button: string
  done: string | ((result: Result) => string)
  /** Where to go afterwards. */
  next?: { label: string; to: string }
  follow: (code: string) => Promise<Result>
}) {
  const client = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const code = useLocation().hash.slice(1)
  const { data: newest } = useQuery(newestVideosQuery)
  const { mutate, data, isPending, isSuccess, error } = useMutation({
    mutationFn: () => follow(code),
    onSuccess: () => {
      // the focused button disappears
      heading.current?.focus()
      void recheckAuth(client)
      void client.invalidateQueries({ queryKey: accountKeys.email })
      void client.invalidateQueries({ queryKey: notificationSettingKeys.mails })
    },
  })
  return (
    <AuthLayout videos={newest?.items}>
      <PageTitle title={title} />
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {isSuccess ? (
        <>
          <Status>{typeof done === 'string' ? done : done(data)}</Status>
          <p className={styles['other']}>
            <Link to={next.to}>{next.label}</Link>
          </p>
        </>
      ) : (
        <>
          <p>{note}</p>
          {error && <Alert>{failureMessage(error)}</Alert>}
          <p className={styles['action']}>
            <Button variant="solid" disabled={isPending} onClick={() => mutate()}>
              {button}
            </Button>
          </p>
        </>
      )}
    </AuthLayout>
  )
}
