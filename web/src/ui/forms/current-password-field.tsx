import { t } from '@lingui/core/macro'
import { useContext } from 'react'
import { SignInAgainContext } from '../../lib/sign-in-again-context.ts'
import { PasswordField } from './password-field.tsx'

/** The current password as proof of who is there; without a password, the way to sign in again. */
export function CurrentPasswordField({
  label = t`Password`,
  error,
}: {
  label?: string
  error: string | undefined
}) {
  const signInAgain = useContext(SignInAgainContext)
  if (!signInAgain)
    return <PasswordField label={label} name="password" autoComplete="current-password" error={error} />
  return (
    <>
      {/* the API expects a text, which does not count */}
      <input type="hidden" name="password" value="none" />
      {signInAgain}
    </>
  )
}
