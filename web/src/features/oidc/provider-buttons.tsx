import { t } from '@lingui/core/macro'
import { beginOidcLogin } from '@kinora/contract/calls/oidc.ts'
import { call } from '@kinora/contract/client.ts'
import { useMutation } from '@tanstack/react-query'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { settings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import styles from './oidc.module.css'

/** A button for each identity provider of the site; nothing without any. */
export function ProviderButtons({ invitation = '' }: { invitation?: string }) {
  const beginning = useMutation({
    mutationFn: (provider: string) => call(beginOidcLogin, { params: { provider }, body: { invitation } }),
    onSuccess: ({ url }) => location.assign(url),
  })
  if (settings.signInProviders.length === 0) return null
  return (
    <div className={styles['buttons']}>
      {settings.signInProviders.map(({ id, name }) => (
        <Button key={id} disabled={beginning.isPending} onClick={() => beginning.mutate(id)}>
          {t`Continue with ${name}`}
        </Button>
      ))}
      {beginning.isError && <Alert>{failureMessage(beginning.error)}</Alert>}
    </div>
  )
}
