import { t } from '@lingui/core/macro'
import { beginOidcLogin } from '@kinora/contract/accounts/oidc.ts'
import { call } from '@kinora/contract/client.ts'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { keepForHome } from '../../../lib/home-notice.ts'
import { loginReasonOf, loginState } from '../../../lib/login-reason.ts'
import { settings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import styles from './oidc.module.css'

/** For the dialogs that ask for the password: what an account without one does instead. */
export function SignInAgain() {
  return (
    <>
      <p>{t`Your account has no password. A sign-in within the last ten minutes takes its place.`}</p>
      <ProviderButtons isAgain />
    </>
  )
}

/** A button for each identity provider of the site; nothing without any. `isAgain`: for somebody who is signed in. */
export function ProviderButtons({
  invitation = '',
  isAgain = false,
}: {
  invitation?: string
  isAgain?: boolean
}) {
  const reason = loginReasonOf(useLocation().state)
  const beginning = useMutation({
    mutationFn: (provider: string) => call(beginOidcLogin, { params: { provider }, body: { invitation } }),
    onSuccess: ({ url }) => {
      if (reason) keepForHome(loginState(reason))
      location.assign(url)
    },
  })
  if (settings.signInProviders.length === 0) return null
  return (
    <div className={styles['buttons']}>
      {settings.signInProviders.map(({ id, name }) => (
        <Button key={id} disabled={beginning.isPending} onClick={() => beginning.mutate(id)}>
          {isAgain ? t`Sign in again with ${name}` : t`Continue with ${name}`}
        </Button>
      ))}
      {beginning.isError && <Alert>{failureMessage(beginning.error)}</Alert>}
    </div>
  )
}
