import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  createChannelGroup,
  deleteChannelGroup,
  updateChannelGroup,
  type ChannelGroup,
} from '@kinora/contract/watching/subscriptions.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { failureMessage } from '../../../../lib/forms/failure-message.ts'
import { textOf } from '../../../../lib/forms/form-fields.ts'
import { textError } from '../../../../lib/forms/text-error.ts'
import { useEndpointForm } from '../../../../lib/forms/use-endpoint-form.ts'
import { useInitialFocus } from '../../../../lib/forms/use-initial-focus.ts'
import { settings } from '../../../../lib/settings.ts'
import { Avatar } from '../../../../ui/avatar.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Alert } from '../../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../../ui/feedback/load-failure.tsx'
import { EndpointForm } from '../../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../../ui/forms/field.tsx'
import { followedChannelsQuery, refreshGroups } from './api.ts'
import styles from './group-form.module.css'

/** Above this number of channels they can be filtered. */
const FILTERED_ABOVE = 12

/** Creates a group of followed channels, or changes or deletes `group`. */
export function GroupForm({
  group,
  username,
  onCancel,
  onSaved,
}: {
  group: ChannelGroup | undefined
  username: string
  onCancel: () => void
  /** Called with the saved group, or with undefined after its deletion. */
  onSaved: (group: ChannelGroup | undefined) => void
}) {
  const client = useQueryClient()
  const element = useInitialFocus()
  const followed = useQuery(followedChannelsQuery(username))
  const [filter, setFilter] = useState('')
  const deletion = useMutation({
    mutationFn: (groupId: string) => call(deleteChannelGroup, { params: { groupId } }),
    onSuccess: async () => {
      await refreshGroups(client)
      onSaved(undefined)
    },
  })
  const form = useEndpointForm({
    fields: ['name'],
    check: (fields) => ({ name: textError(t`Name`, textOf(fields, 'name'), settings.nameMaxCharacters) }),
    send: async (fields) => {
      const usernames = fields.getAll('channel').filter((each) => typeof each === 'string')
      const body = { name: textOf(fields, 'name'), usernames }
      const saved = await (group
        ? call(updateChannelGroup, { params: { groupId: group._id }, body })
        : call(createChannelGroup, { body }))
      await refreshGroups(client)
      return saved
    },
    onSuccess: onSaved,
  })
  const channels = followed.data ?? []
  const isShown = (texts: readonly string[]) =>
    texts.some((text) => text.toLowerCase().includes(filter.trim().toLowerCase()))

  return (
    <EndpointForm
      ref={element}
      form={form}
      submit={group ? t`Save` : t`Create`}
      isDisabled={!followed.data}
      onCancel={onCancel}
    >
      <Field label={t`Name`} defaultValue={group?.name} required {...form.field('name')} />
      <fieldset className={styles['channels']}>
        <legend>{t`Channels`}</legend>
        {followed.isPending && <p role="status">{t`Loading…`}</p>}
        {followed.isError && (
          <LoadFailure
            title={t`Your subscriptions could not be loaded`}
            onRetry={() => void followed.refetch()}
          />
        )}
        {followed.data && channels.length === 0 && <p>{t`Subscribe to channels first.`}</p>}
        {channels.length > FILTERED_ABOVE && (
          <Field
            label={t`Find a channel`}
            type="search"
            value={filter}
            onChange={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        )}
        <ul>
          {channels.map((channel) => (
            // Stays mounted while it is filtered out, so that its choice is kept.
            <li key={channel.username} hidden={!isShown([channel.fullname, channel.username])}>
              <label>
                <input
                  type="checkbox"
                  name="channel"
                  value={channel.username}
                  defaultChecked={group?.usernames.includes(channel.username)}
                />
                <Avatar src={channel.avatar} name={channel.fullname} size={32} lazy />
                <span dir="auto">{channel.fullname}</span>
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      {group && (
        <Button
          variant="bare"
          className={styles['delete']}
          disabled={form.isPending || deletion.isPending}
          onClick={() => deletion.mutate(group._id)}
        >{t`Delete group`}</Button>
      )}
      {deletion.error && <Alert>{failureMessage(deletion.error)}</Alert>}
    </EndpointForm>
  )
}
