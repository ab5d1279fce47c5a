import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { putChannelProfile, type ChannelProfile } from '@kinora/contract/watching/channels.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lengthError } from '../../../lib/forms/text-error.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { settings } from '../../../lib/settings.ts'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { TextArea } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { pinnableVideosQuery, profileQuery } from './api.ts'
import { linksError, linksOf } from './links.ts'

/** Changes text, links and pinned video of the own channel. */
export function ChannelForm({ username, profile }: { username: string; profile: ChannelProfile }) {
  const client = useQueryClient()
  const { data: newest } = useQuery(pinnableVideosQuery(username))
  const form = useEndpointForm({
    fields: ['about', 'links'],
    check: (fields) => ({
      about: lengthError(t`About`, textOf(fields, 'about'), settings.descriptionMaxCharacters),
      links: linksError(linksOf(textOf(fields, 'links'))),
    }),
    send: (fields) =>
      call(putChannelProfile, {
        body: {
          about: textOf(fields, 'about'),
          links: linksOf(textOf(fields, 'links')),
          pinnedVideoId: textOf(fields, 'pinned') || null,
        },
      }),
    onSuccess: (saved) => client.setQueryData(profileQuery(username).queryKey, saved),
  })
  const { pinnedVideo } = profile
  const others = newest?.items.filter(({ _id }) => _id !== pinnedVideo?._id) ?? []
  const videos = pinnedVideo ? [pinnedVideo, ...others] : others
  return (
    <EndpointForm form={form}>
      <TextArea label={t`About`} rows={6} defaultValue={profile.about} {...form.field('about')} />
      <TextArea
        label={t`Links`}
        rows={4}
        defaultValue={profile.links.join('\n')}
        hint={t`One address on each line.`}
        inputMode="url"
        spellCheck={false}
        {...form.field('links')}
      />
      <Select
        label={t`Pinned video`}
        name="pinned"
        // the options arrive later
        key={newest ? 'loaded' : 'loading'}
        defaultValue={pinnedVideo?._id ?? ''}
        hint={t`Shown above the other videos of your channel.`}
      >
        <option value="">{t({ message: 'None', context: 'video' })}</option>
        {videos.map(({ _id, title }) => (
          <option key={_id} value={_id}>
            {title}
          </option>
        ))}
      </Select>
    </EndpointForm>
  )
}
