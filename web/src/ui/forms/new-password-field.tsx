import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { useDebounced } from '../../lib/browser/use-debounced.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { loadCommonPasswords, explainWeakness } from '../../lib/forms/password-weakness.ts'
import { PasswordField } from './password-field.tsx'

/** Pause in typing after which a warning is announced. */
const PAUSE_MS = 400

/**
 * A field for a new password, which warns of one that is easy to guess and accepts it. Username and email are those of
 * its form, or else `username`.
 */
export function NewPasswordField({
  username = '',
  ...field
}: Omit<ComponentProps<typeof PasswordField>, 'autoComplete' | 'warning'> & { username?: string }) {
  const input = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const [warning, setWarning] = useState<{ password: string; text: string }>()
  const settled = useDebounced(password, PAUSE_MS)
  useEffect(() => {
    const { form } = input.current ?? {}
    if (settled === '' || !form) return
    let isCurrent = true
    const fields = new FormData(form)
    const words = [username, textOf(fields, 'username'), textOf(fields, 'email').split('@')[0] ?? '']
    const check = async () => {
      const text = await explainWeakness(settled, words)
      if (isCurrent) setWarning(text === undefined ? undefined : { password: settled, text })
    }
    void check()
    return () => {
      isCurrent = false
    }
  }, [settled, username])
  return (
    <PasswordField
      {...field}
      ref={input}
      autoComplete="new-password"
      warning={warning?.password === password ? warning.text : ''}
      onFocus={() => void loadCommonPasswords()}
      onChange={(event) => setPassword(event.currentTarget.value)}
    />
  )
}
