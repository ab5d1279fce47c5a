import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { putChannelProfile, type ChannelProfile } from '@kinora/contract/watching/channels.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { lengthError } from '../../../lib/forms/text-error.ts'
import { focusFirstInvalid } from '../../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useInitialFocus } from '../../../lib/forms/use-initial-focus.ts'
import { settings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogActions } from '../../../ui/dialog.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { TextArea } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { pinnableVideosQuery, profileQuery } from './api.ts'
import { linksError, linksOf } from './links.ts'

/** Changes text, links and pinned video of the own channel. */
export function ChannelForm({
  username,
  profile,
  onCancel,
  onSaved,
}: {
  username: string
  profile: ChannelProfile
  onCancel: () => void
  onSaved: () => void
}) {
  const client = useQueryClient()
  const element = useInitialFocus()
  const [errors, setErrors] = useState<{ about?: string | undefined; links?: string | undefined }>({})
  const { data: newest } = useQuery(pinnableVideosQuery(username))
  const saving = useMutation({
    mutationFn: (body: { about: string; links: string[]; pinnedVideoId: string | null }) =>
      call(putChannelProfile, { body }),
    onSuccess: (saved) => client.setQueryData(profileQuery(username).queryKey, saved),
  })

  const { pinnedVideo } = profile
  const others = newest?.items.filter(({ _id }) => _id !== pinnedVideo?._id) ?? []
  const videos = pinnedVideo ? [pinnedVideo, ...others] : others

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (saving.isPending) return
    const fields = new FormData(event.currentTarget)
    const about = textOf(fields, 'about')
    const links = linksOf(textOf(fields, 'links'))
    const found = {
      about: lengthError(t`About`, about, settings.descriptionMaxCharacters),
      links: linksError(links),
    }
    setErrors(found)
    if (found.about ?? found.links) return focusFirstInvalid(event.currentTarget, found)
    saving.mutate({ about, links, pinnedVideoId: textOf(fields, 'pinned') || null }, { onSuccess: onSaved })
  }

  return (
    <form ref={element} onSubmit={submit} noValidate>
      {saving.isError && <Alert>{failureMessage(saving.error)}</Alert>}
      <TextArea label={t`About`} name="about" rows={6} defaultValue={profile.about} error={errors.about} />
      <TextArea
        label={t`Links`}
        name="links"
        rows={4}
        defaultValue={profile.links.join('\n')}
        error={errors.links}
        hint={t`One address on each line.`}
        inputMode="url"
        spellCheck={false}
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
      <DialogActions>
        <Button onClick={onCancel}>{t`Cancel`}</Button>
        <Button type="submit" variant="solid" disabled={saving.isPending}>{t`Save`}</Button>
      </DialogActions>
    </form>
  )
}
