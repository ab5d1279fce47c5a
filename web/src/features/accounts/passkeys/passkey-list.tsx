import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  addPasskey,
  beginPasskey,
  deletePasskey,
  listPasskeys,
  type Passkey,
} from '@kinora/contract/accounts/passkeys.ts'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { formatAgeInSentence } from '../../../lib/format/age.ts'
import { accountKeys } from '../../../lib/account-keys.ts'
import { useRowAction } from '../../../lib/use-row-action.ts'
import { DialogButton } from '../../../ui/dialog-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { CurrentPasswordField } from '../../../ui/forms/current-password-field.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { RevocableList } from '../../../ui/revocable-list.tsx'
import { canUsePasskeys, rememberPasskeyUse } from './passkey-support.ts'

const passkeysQuery = queryOptions({
  queryKey: accountKeys.passkeys,
  queryFn: ({ signal }) => call(listPasskeys, { signal }),
})

/** The passkeys of the account, and a button that adds one. */
export function PasskeyList() {
  const [nowMs] = useState(() => Date.now())
  const removePasskey = useRowAction({
    run: ({ _id: passkeyId }: Passkey) => call(deletePasskey, { params: { passkeyId } }),
    confirm: (passkey) => ({
      title: t`Delete this passkey?`,
      text: t`The passkey of ${passkey.name} no longer signs you in. Also delete it from that device.`,
      label: t`Delete`,
    }),
    done: () => t`The passkey is deleted.`,
    queryKey: passkeysQuery.queryKey,
  })
  return (
    <RevocableList
      label={t`Passkeys`}
      query={useQuery(passkeysQuery)}
      failure={t`Could not load your passkeys`}
      action={removePasskey}
      rowOf={({ _id: key, name, createdAt, usedAt }) => {
        const added = formatAgeInSentence(createdAt, nowMs)
        const used = usedAt && formatAgeInSentence(usedAt, nowMs)
        return {
          key,
          title: name,
          note: used ? t`Added ${added}, used ${used}` : t`Added ${added}, not used yet`,
          revoke: { label: t`Delete`, name: t`Delete the passkey of ${name}` },
        }
      }}
    >
      {canUsePasskeys() ? (
        <DialogButton label={t`Add a passkey`}>{(close) => <AddDialog onClose={close} />}</DialogButton>
      ) : (
        <p>
          <Trans>
            This browser cannot add one here. Passkeys need an https address and a browser that has them.
          </Trans>
        </p>
      )}
    </RevocableList>
  )
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const form = useEndpointForm({
    fields: ['password'],
    fallback: t`Your browser created no passkey`,
    send: async (fields) => {
      const { startRegistration } = await import('@simplewebauthn/browser')
      const options = await call(beginPasskey, { body: { password: textOf(fields, 'password') } })
      // the server's library made these options for this one
      const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
      const { id, rawId, type, response } = await startRegistration({ optionsJSON })
      const { clientDataJSON, attestationObject } = response
      return call(addPasskey, { body: { id, rawId, type, response: { clientDataJSON, attestationObject } } })
    },
    onSuccess: () => {
      rememberPasskeyUse()
      void client.invalidateQueries(passkeysQuery)
      onClose()
    },
  })
  return (
    <Dialog title={t`Add a passkey`} onClose={onClose} width={440} closesOnOutsideClick={false}>
      <EndpointForm form={form} submit={t`Continue`} onCancel={onClose}>
        <p>{t`Your browser asks where to keep it. Afterwards it signs you in without a password.`}</p>
        <CurrentPasswordField error={form.field('password').error} />
      </EndpointForm>
    </Dialog>
  )
}
