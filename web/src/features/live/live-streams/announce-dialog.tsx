import { t } from '@lingui/core/macro'
import { announcedVisibilities } from '@kinora/contract/constants.ts'
import type { AnnouncedStream } from '@kinora/contract/live/announcements.ts'
import type { LiveTemplate } from '@kinora/contract/live/live-streams.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { localTime, timeZone, tomorrowEvening } from '../../../lib/forms/local-time.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { FileField } from '../../../ui/forms/file-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { showsQuery, useAnnounce } from './api.ts'
import { TemplateFields } from './template-form.tsx'

/** Announces a stream for a time, or changes one that is announced. */
export function AnnounceDialog({ stream, onClose }: { stream?: AnnouncedStream; onClose: () => void }) {
  const announce = useAnnounce(stream?.videoId)
  const [template, setTemplate] = useState<LiveTemplate | undefined>(stream)
  const form = useEndpointForm({
    fields: ['title', 'description', 'visibility', 'startsAt', 'thumbnail'],
    check: (fields) => ({ startsAt: textOf(fields, 'startsAt') ? undefined : t`Choose a time` }),
    send: (fields) => {
      const chosen = announcedVisibilities.find((each) => each === textOf(fields, 'visibility'))
      const picture = fields.get('thumbnail')
      return announce.mutateAsync({
        title: textOf(fields, 'title'),
        description: textOf(fields, 'description'),
        visibility: chosen ?? 'public',
        keepsRecording: fields.has('keepsRecording'),
        startsAt: new Date(textOf(fields, 'startsAt')).toISOString(),
        picture: picture instanceof File && picture.size > 0 ? picture : undefined,
      })
    },
    onSuccess: onClose,
  })
  const isNew = stream === undefined
  return (
    <Dialog
      title={isNew ? t`Announce a stream` : t`Change the announcement`}
      onClose={onClose}
      closesOnOutsideClick={false}
    >
      <EndpointForm form={form} submit={isNew ? t`Announce` : t`Save`} onCancel={onClose}>
        {isNew && <ShowChoice onChoose={setTemplate} />}
        <Field
          label={t`Begins`}
          type="datetime-local"
          step={60}
          required
          defaultValue={
            stream && !stream.hasExpired ? localTime(new Date(stream.startsAt)) : tomorrowEvening()
          }
          hint={t`Time zone: ${timeZone()}`}
          {...form.field('startsAt')}
        />
        {/* the details of a show replace what was typed */}
        <TemplateFields
          key={template?.title}
          form={form}
          template={template}
          visibilities={[...announcedVisibilities].toReversed()}
        />
        <FileField
          label={t`Picture`}
          shape="thumbnail"
          accept="image/jpeg,image/png"
          prompt={t`Choose a picture`}
          promptToDrop={t`, or drop it here`}
          currentSrc={stream?.thumbnail}
          hint={t`Without one, the first frame becomes the thumbnail of the stream.`}
          {...form.field('thumbnail')}
        />
      </EndpointForm>
    </Dialog>
  )
}

/** Fills the form with a show, if the channel has some. */
function ShowChoice({ onChoose }: { onChoose: (show: LiveTemplate | undefined) => void }) {
  const { data: shows = [] } = useQuery(showsQuery)
  if (shows.length === 0) return null
  return (
    <Select
      label={t`Show`}
      onChange={({ currentTarget }) => onChoose(shows.find(({ id }) => id === currentTarget.value))}
    >
      <option value="">{t`None`}</option>
      {shows.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </Select>
  )
}
