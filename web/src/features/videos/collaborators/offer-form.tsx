import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { createHandover } from '@kinora/contract/videos/handovers.ts'
import { useQueryClient } from '@tanstack/react-query'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { handoversQuery } from './api.ts'
import styles from './people.module.css'

/** Offers one video, or all videos of the own channel, to another account. */
export function OfferForm({ videoId }: { videoId: string | null }) {
  const client = useQueryClient()
  const form = useEndpointForm({
    fields: ['username'],
    check: (fields) => ({ username: textOf(fields, 'username').trim() ? undefined : t`Enter a username` }),
    send: (fields) =>
      call(createHandover, {
        body: { username: textOf(fields, 'username').trim().replace(/^@/, ''), videoId },
      }),
    onSuccess: (offers, element) => {
      client.setQueryData(handoversQuery.queryKey, offers)
      element.reset()
    },
  })
  return (
    <EndpointForm
      className={styles['offer']}
      label={videoId === null ? t`Offer all your videos` : t`Offer this video`}
      form={form}
      variant="quiet"
      submit={videoId === null ? t`Offer all videos` : t`Offer`}
      saved={t`Offered. It is yours until the other person accepts: Studio → People.`}
    >
      <p className={styles['note']}>
        {videoId === null
          ? t`All your videos move to the channel of another account once it accepts, with their addresses, views, likes and comments. Your name, subscribers and playlists stay here.`
          : t`The video moves to the channel of another account once it accepts, with its address, views, likes and comments. You cannot take it back.`}
      </p>
      <Field
        label={videoId === null ? t`Username of the new owner` : t`New owner (username)`}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        {...form.field('username')}
      />
    </EndpointForm>
  )
}
