import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { openLink, sharedVideoQuery } from '../../features/videos/share-links/api.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../lib/forms/use-endpoint-form.ts'
import { useInitialFocus } from '../../lib/forms/use-initial-focus.ts'
import { EndpointForm } from '../../ui/forms/endpoint-form.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import styles from './shared-page.module.css'

/** Form that opens a link by its password. */
export function LinkPasswordForm({
  linkKey,
  hint,
  children,
}: {
  linkKey: string
  hint: string
  children?: ReactNode
}) {
  const client = useQueryClient()
  const element = useInitialFocus()
  const form = useEndpointForm({
    fields: ['password'],
    send: (fields) => openLink(linkKey, textOf(fields, 'password')),
    onSuccess: (opened) => client.setQueryData(sharedVideoQuery(linkKey).queryKey, opened),
  })
  return (
    <EndpointForm ref={element} className={styles['form']} form={form} submit={t`Watch`}>
      {children}
      <PasswordField label={t`Password`} autoComplete="off" hint={hint} {...form.field('password')} />
    </EndpointForm>
  )
}
