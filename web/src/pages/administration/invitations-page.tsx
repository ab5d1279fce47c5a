import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { createInvitation, deleteInvitation } from '@kinora/contract/operations/administration.ts'
import { call } from '@kinora/contract/client.ts'
import {
  invitationMaxDays,
  invitationMaxUses,
  invitationNoteMaxCharacters,
} from '@kinora/contract/constants.ts'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { invitationsQuery } from '../../features/operations/administration/api.ts'
import { InvitationList } from '../../features/operations/administration/invitation-list.tsx'
import { NoticeBar } from '../../features/operations/administration/notice-bar.tsx'
import { useActions } from '../../features/operations/administration/use-actions.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { settings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './invitations-page.module.css'

/** Links with which people register. */
export function InvitationsPage() {
  const { data: invitations, isError, refetch } = useQuery(invitationsQuery)
  const { act, notice, isPending } = useActions()

  function create(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const [maxUses, days] = [Number(textOf(fields, 'maxUses')), Number(textOf(fields, 'days'))]
    const note = textOf(fields, 'note')
    act({
      run: () => call(createInvitation, { body: { maxUses, days, note } }),
      done: t`Link created. It is first in the list.`,
    })
  }

  return (
    <section aria-labelledby="invitations">
      <PageTitle title={t`Invitations · Administration`} />
      <h2 className={styles['heading']} id="invitations">{t`Invitations`}</h2>
      {settings.registration !== 'invitation' && (
        <p className={styles['note']}>
          <Trans>
            No invitation is needed to register. To require one, change “Who may register” in the settings.
          </Trans>
        </p>
      )}
      <form className={styles['form']} onSubmit={create}>
        <Field
          label={t`People`}
          name="maxUses"
          type="number"
          min={1}
          max={invitationMaxUses}
          defaultValue={1}
          required
        />
        <Field
          label={t`Days`}
          name="days"
          type="number"
          min={1}
          max={invitationMaxDays}
          defaultValue={7}
          required
        />
        <Field
          label={t`Note`}
          name="note"
          maxLength={invitationNoteMaxCharacters}
          placeholder={t`Whom it is for`}
        />
        <Button type="submit" variant="solid" disabled={isPending}>{t`Create a link`}</Button>
      </form>
      <NoticeBar notice={notice} />
      {isError && !invitations && (
        <LoadFailure title={t`Could not load the invitations`} onRetry={() => void refetch()} />
      )}
      {invitations?.length === 0 && (
        <EmptyState title={t`No invitations yet`} text={t`Links that you create appear here.`} />
      )}
      {invitations && invitations.length > 0 && (
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
    </section>
  )
}
