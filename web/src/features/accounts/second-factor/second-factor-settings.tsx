import { plural, t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { removeSecondFactor } from '@kinora/contract/accounts/second-factor.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { CurrentPasswordField } from '../../../ui/forms/current-password-field.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { QuerySection } from '../../../ui/query-section.tsx'
import { secondFactorQuery } from './api.ts'
import { SetUpDialog } from './set-up-dialog.tsx'

/** Turns the authenticator app of the account on and off. */
export function SecondFactorSettings() {
  const client = useQueryClient()
  // chosen at the click: a refetch must not replace the dialog while it shows the recovery codes
  const [dialog, setDialog] = useState<'setUp' | 'removal'>()
  const close = () => {
    setDialog(undefined)
    void client.invalidateQueries(secondFactorQuery)
  }
  return (
    <QuerySection query={useQuery(secondFactorQuery)} failure={t`Could not load this`}>
      {(state) => (
        <>
          <p>
            {state.isOn
              ? plural(state.recoveryCodesLeft, {
                  one: 'On. # recovery code left.',
                  other: 'On. # recovery codes left.',
                })
              : t`Off.`}
          </p>
          <Button onClick={() => setDialog(state.isOn ? 'removal' : 'setUp')}>
            {state.isOn ? t`Turn off` : t`Turn on`}
          </Button>
          {dialog === 'setUp' && <SetUpDialog onClose={close} />}
          {dialog === 'removal' && <RemovalDialog onClose={close} />}
        </>
      )}
    </QuerySection>
  )
}

function RemovalDialog({ onClose }: { onClose: () => void }) {
  const form = useEndpointForm({
    fields: ['password'],
    send: (fields) => call(removeSecondFactor, { body: { password: textOf(fields, 'password') } }),
    onSuccess: onClose,
  })
  return (
    <Dialog title={t`Turn off the authenticator app`} onClose={onClose} width={440}>
      <EndpointForm form={form} submit={t`Turn off`} variant="danger" onCancel={onClose}>
        <p>{t`Afterwards your password alone is enough. The recovery codes stop working.`}</p>
        <CurrentPasswordField error={form.field('password').error} />
      </EndpointForm>
    </Dialog>
  )
}
