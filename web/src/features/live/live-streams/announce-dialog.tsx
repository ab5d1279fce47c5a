import { t } from '@lingui/core/macro'
import { announcedVisibilities } from '@kinora/contract/constants.ts'
import type { AnnouncedStream } from '@kinora/contract/live/announcements.ts'
import type { LiveShow, LiveTemplate } from '@kinora/contract/live/live-streams.ts'
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
  const [template, setTemplate] = useState<(LiveTemplate & Partial<LiveShow>) | undefined>(stream)
  const shownTime =
    stream && !stream.hasExpired ? localTime(new Date(stream.startsAt)).slice(0, 16) : undefined
  const form = useEndpointForm({
    fields: ['title', 'description', 'visibility', 'startsAt', 'thumbnail'],
    check: (fields) => ({
      startsAt: textOf(fields, 'startsAt') ? undefined : t`Choose a time`,
      visibility: chosenIn(fields) ? undefined : t`Choose who may see it`,
    }),
    send: (fields) => {
      const time = textOf(fields, 'startsAt')
      const picture = fields.get('thumbnail')
      return announce.mutateAsync({
        title: textOf(fields, 'title'),
        description: textOf(fields, 'description'),
        visibility: chosenIn(fields) ?? 'public',
        keepsRecording: fields.has('keepsRecording'),
        // the field has no seconds
        startsAt: stream && time === shownTime ? stream.startsAt : new Date(time).toISOString(),
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
          defaultValue={shownTime ?? tomorrowEvening()}
          hint={t`Time zone: ${timeZone()}`}
          {...form.field('startsAt')}
        />
        {/* the details of a show replace what was typed */}
        <TemplateFields
          key={template?.id}
          form={form}
          template={template}
          visibilities={announcedVisibilities}
          defaultVisibility="public"
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

const chosenIn = (fields: FormData) =>
  announcedVisibilities.find((each) => each === textOf(fields, 'visibility'))

/** Fills the form with a show, if the channel has some. */
function ShowChoice({ onChoose }: { onChoose: (show: LiveShow | undefined) => void }) {
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
