import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { createInvitation, deleteInvitation } from '@kinora/contract/operations/administration.ts'
import { call } from '@kinora/contract/client.ts'
import {
  invitationMaxDays,
  invitationMaxUses,
  invitationNoteMaxCharacters,
} from '@kinora/contract/constants.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { invitationsQuery } from '../../features/operations/administration/api.ts'
import { InvitationList } from '../../features/operations/administration/invitation-list.tsx'
import { NoticeBar } from '../../features/operations/administration/notice-bar.tsx'
import { useActions } from '../../features/operations/administration/use-actions.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../lib/forms/use-endpoint-form.ts'
import { settings } from '../../lib/settings.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { EndpointForm } from '../../ui/forms/endpoint-form.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QuerySection } from '../../ui/query-section.tsx'
import { Part } from '../../ui/part.tsx'
import styles from './invitations-page.module.css'

/** Links with which people register. */
export function InvitationsPage() {
  const client = useQueryClient()
  const result = useQuery(invitationsQuery)
  const { act, notice } = useActions()

  const form = useEndpointForm({
    fields: ['maxUses', 'days', 'note'],
    send: async (fields) => {
      const [maxUses, days] = [Number(textOf(fields, 'maxUses')), Number(textOf(fields, 'days'))]
      await call(createInvitation, { body: { maxUses, days, note: textOf(fields, 'note') } })
      await client.invalidateQueries(invitationsQuery)
    },
  })

  return (
    <Part
      title={t`Invitations`}
      id="invitations"
      note={
        settings.registration !== 'invitation' && (
          <Trans>
            No invitation is needed to register. To require one, change “Who may register” in the settings.
          </Trans>
        )
      }
    >
      <PageTitle title={t`Invitations · Administration`} />
      <EndpointForm
        className={styles['form']}
        form={form}
        submit={t`Create a link`}
        saved={t`Link created. It is first in the list.`}
      >
        <Field
          label={t`People`}
          type="number"
          min={1}
          max={invitationMaxUses}
          defaultValue={1}
          {...form.field('maxUses')}
        />
        <Field
          label={t`Days`}
          type="number"
          min={1}
          max={invitationMaxDays}
          defaultValue={7}
          {...form.field('days')}
        />
        <Field
          label={t`Note`}
          maxLength={invitationNoteMaxCharacters}
          placeholder={t`Whom it is for`}
          {...form.field('note')}
        />
      </EndpointForm>
      <NoticeBar notice={notice} />
      <QuerySection
        query={result}
        failure={t`Could not load the invitations`}
        empty={<EmptyState title={t`No invitations yet`} text={t`Links that you create appear here.`} />}
      >
        {(invitations) => (
          <InvitationList
            invitations={invitations}
            onDelete={({ _id: invitationId }) =>
              act({
                run: () => call(deleteInvitation, { params: { invitationId } }),
                done: t`The link is deleted. Accounts that came with it stay.`,
              })
            }
          />
        )}
      </QuerySection>
    </Part>
  )
}
