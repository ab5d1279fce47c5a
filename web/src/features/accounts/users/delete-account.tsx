import { plural, t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { deleteAccount } from '@kinora/contract/portability/account-deletion.ts'
import { useState } from 'react'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { settings } from '../../../lib/settings.ts'
import { CurrentPasswordField } from '../../../ui/forms/current-password-field.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import styles from './edit-form.module.css'

const waiting = () => plural(settings.deletionDays, { one: 'one day', other: '# days' })

/** Account deletion, confirmed in a dialog with the password. */
export function DeleteAccount({ onDeleted }: { onDeleted: () => void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <section className={styles['form']} aria-labelledby="delete-account">
      <h3 id="delete-account">{t`Delete account`}</h3>
      <p className={styles['note']}>
        {t`Your videos, comments, likes and subscriptions are deleted with it, and the answers of others below your comments.`}{' '}
        {settings.deletionDays > 0 &&
          t`Nobody sees any of it from then on, and it is removed ${waiting()} later. Until then you can log in and keep your account.`}
      </p>
      <Button className={styles['save']} onClick={() => setAsking(true)}>{t`Delete account`}</Button>
      {isAsking && <DeleteAccountDialog onClose={() => setAsking(false)} onDeleted={onDeleted} />}
    </section>
  )
}

function DeleteAccountDialog({ onClose, onDeleted }: { onClose: () => void; onDeleted: () => void }) {
  const form = useEndpointForm({
    fields: ['password'],
    send: (fields) => call(deleteAccount, { body: { password: textOf(fields, 'password') } }),
    onSuccess: onDeleted,
  })
  return (
    <Dialog title={t`Delete account`} onClose={onClose} width={440} closesOnOutsideClick={false}>
      <EndpointForm form={form} submit={t`Delete account`} variant="danger" onCancel={onClose}>
        <p className={styles['note']}>
          {settings.deletionDays > 0
            ? t`This hides your account, videos and comments, and signs you out everywhere. After ${waiting()} they are removed for good. Until then you can log in and keep your account.`
            : t`This deletes your account and everything you published. This cannot be undone.`}
        </p>
        <CurrentPasswordField error={form.field('password').error} />
      </EndpointForm>
    </Dialog>
  )
}
