import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { call } from '@kinora/contract/client.ts'
import { getEmailState, requestEmailConfirmation } from '@kinora/contract/accounts/emails.ts'
import type { ResultOf } from '@kinora/contract/endpoint.ts'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { accountKeys } from '../../../lib/account-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert, Status } from '../../../ui/feedback/alert.tsx'
import { QuerySection } from '../../../ui/query-section.tsx'
import styles from './email-settings.module.css'

export const emailQuery = queryOptions({
  queryKey: accountKeys.email,
  queryFn: ({ signal }) => call(getEmailState, { signal }),
})

/** The email address of the account, and a link by mail that confirms it. */
export function EmailSettings() {
  return (
    <QuerySection query={useQuery(emailQuery)} failure={t`Could not load your email address`}>
      {(state) => <EmailAddress state={state} />}
    </QuerySection>
  )
}

function EmailAddress({
  state: { email, isConfirmed, isRejected, newEmail },
}: {
  state: ResultOf<typeof getEmailState>
}) {
  const request = useMutation({ mutationFn: () => call(requestEmailConfirmation, {}) })
  const unconfirmed = newEmail ?? (isConfirmed && !isRejected ? null : email)
  return (
    <div className={styles['email']}>
      <p>
        <strong>{email}</strong> {isConfirmed ? t`is confirmed.` : t`is not confirmed yet.`}
      </p>
      {newEmail !== null && (
        <p>
          <Trans>
            It changes to <strong>{newEmail}</strong> when you open the link in our mail to that address.
          </Trans>
        </p>
      )}
      {isRejected && (
        <p>
          {newEmail === null
            ? t`The mail server refused three mails to ${email}, so notifications by mail are off. Change the address, or send a link to it: once that mail is accepted, notifications are mailed again.`
            : t`The mail server refused three mails to ${email}, so notifications by mail are off. Open the link in the mail to ${newEmail}, and they are mailed there.`}
        </p>
      )}
      {request.isError && <Alert>{failureMessage(request.error)}</Alert>}
      {request.isSuccess && <Status>{t`A mail with a link is on its way. It works for a day.`}</Status>}
      {unconfirmed !== null && (
        <Button onClick={() => request.mutate()} disabled={request.isPending}>
          {request.isPending ? t`Sending…` : t`Send a link to ${unconfirmed}`}
        </Button>
      )}
    </div>
  )
}
