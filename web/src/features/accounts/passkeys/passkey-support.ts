const storageKey = 'kinora-passkey'

/** Whether the browser can use passkeys here: with TLS or on localhost, and not at an IP address (WebAuthn, 5.1.2). */
export function canUsePasskeys(): boolean {
  const isAddress = /^[\d.]+$|:/.test(location.hostname)
  return isSecureContext && !isAddress && typeof PublicKeyCredential === 'function'
}

/** Whether a passkey was created or used in this browser before, so that the login page offers it. */
export function hasUsedPasskey(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null
  } catch {
    // storage is blocked
    return false
  }
}

export function rememberPasskeyUse(): void {
  try {
    localStorage.setItem(storageKey, 'true')
  } catch {
    // storage is blocked; the field for the email still offers it
  }
}
