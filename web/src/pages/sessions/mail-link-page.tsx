import { call } from '@kinora/contract/client.ts'
import { confirmEmail, keepEmail, unsubscribeFromMails } from '@kinora/contract/calls.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation, useSearchParams } from 'react-router'
import { recheckAuth } from '../../features/sessions/api.ts'
import { AuthLayout } from '../../features/sessions/auth-layout.tsx'
import { newestVideosQuery } from '../../features/videos/api.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { notificationKeys, sessionKeys } from '../../lib/query-keys.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Alert, Status } from '../../ui/feedback/alert.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './login-page.module.css'

/** Confirms an email address by the link of a mail. */
export function ConfirmEmailPage() {
  return (
    <MailLinkPage
      title="Confirm your email address"
      note="Confirm that you asked for mails to this address."
      button="Confirm address"
      done="Your email address is confirmed."
      follow={(code) => call(confirmEmail, { body: { code } })}
    />
  )
}

/** Stops a change of the email address by the link in the mail to the previous one. */
export function KeepEmailPage() {
  return (
    <MailLinkPage
      title="Keep your email address"
      note="The change is stopped, and every device is signed out."
      button="Keep address"
      done="Your account keeps this address. Every device was signed out. Choose a new password if somebody else may know yours."
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
      title="Stop these mails"
      note="Ends mails like the one that you opened. Notifications on the site stay as they are."
      button="Stop mails"
      done="You get no more of these mails."
      follow={() => call(unsubscribeFromMails, { body: { token } })}
    />
  )
}

/** A button for what a link in a mail does: programs that check mails open their links, but press no buttons. */
function MailLinkPage({
  title,
  note,
  button,
  done,
  follow,
}: {
  title: string
  note: string
  button: string
  done: string
  follow: (code: string) => Promise<unknown>
}) {
  const client = useQueryClient()
  const code = useLocation().hash.slice(1)
  const { data: newest } = useQuery(newestVideosQuery)
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => follow(code),
    onSuccess: () => {
      void recheckAuth(client)
      void client.invalidateQueries({ queryKey: sessionKeys.email })
      void client.invalidateQueries({ queryKey: notificationKeys.mails })
    },
  })
  return (
    <AuthLayout videos={newest?.items}>
      <PageTitle title={title} />
      <h1>{title}</h1>
      {isSuccess ? (
        <>
          <Status>{done}</Status>
          <p className={styles['other']}>
            <Link to={paths.home()}>Go to the home page</Link>
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
