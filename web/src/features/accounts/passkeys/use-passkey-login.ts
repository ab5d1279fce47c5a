import { ApiError, call } from '@kinora/contract/client.ts'
import { beginPasskeyLogin } from '@kinora/contract/accounts/passkeys.ts'
import { loginWithPasskey } from '@kinora/contract/accounts/sign-in.ts'
import type { User } from '@kinora/contract/accounts/users.ts'
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { canUsePasskeys, hasUsedPasskey, rememberPasskeyUse } from './passkey-support.ts'

/**
 * Signs in by a passkey: `login` opens the browser's dialog, `offer` adds passkeys to what the browser suggests for the
 * focused field. `isKnown`: one was used in this browser before.
 */
export function usePasskeyLogin(onUser: (user: User) => void) {
  const hasOffered = useRef(false)
  const login = useMutation({
    mutationFn: async ({ isSuggested }: { isSuggested: boolean }) => {
      const { startAuthentication, browserSupportsWebAuthnAutofill } = await import('@simplewebauthn/browser')
      if (isSuggested && !(await browserSupportsWebAuthnAutofill())) return null
      // the server's library made these options for this one
      const optionsJSON = (await call(
        beginPasskeyLogin,
        {},
      )) as unknown as PublicKeyCredentialRequestOptionsJSON
      const credential = await startAuthentication({ optionsJSON, useBrowserAutofill: isSuggested })
      const { id, rawId, type, response } = credential
      return call(loginWithPasskey, { body: { id, rawId, type, response } })
    },
    onSuccess: (result) => {
      if (!result) return
      rememberPasskeyUse()
      onUser(result.user)
    },
    // the next focus offers again, with a new challenge
    onError: () => {
      hasOffered.current = false
    },
  })

  function offer() {
    if (hasOffered.current || !canUsePasskeys()) return
    hasOffered.current = true
    login.mutate({ isSuggested: true })
  }

  return {
    login: () => login.mutate({ isSuggested: false }),
    offer,
    isKnown: canUsePasskeys() && hasUsedPasskey(),
    /** Why the sign-in failed. Undefined where the person chose none of the suggested passkeys. */
    error: login.error && (!login.variables.isSuggested || isRefusal(login.error)) ? login.error : undefined,
  }
}

/** Whether the site refused a passkey that the person chose. */
const isRefusal = (error: Error) => error instanceof ApiError && [401, 403].includes(error.status)
