import { t } from '@lingui/core/macro'
import { introMaxSeconds } from '@kinora/contract/constants.ts'
import type { ChannelIntros as Chosen } from '@kinora/contract/videos/intros.ts'
import { useQuery } from '@tanstack/react-query'
import { formatDuration } from '../../../lib/format/duration.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { Part } from '../../../ui/part.tsx'
import { QuerySection } from '../../../ui/query-section.tsx'
import { channelIntrosQuery, useSaveChannelIntros } from './api.ts'

/** Chooses the intro and the outro of the own channel. */
export function ChannelIntros() {
  const query = useQuery(channelIntrosQuery)
  return (
    <Part
      title={t`Intro and outro`}
      note={t`Short videos of your channel that play before and after its other videos. Viewers can skip them. Times, views and downloads of your videos stay as they are.`}
    >
      <QuerySection query={query} failure={t`Could not load the choice`} skeleton={null}>
        {(intros) => <ChannelIntrosForm intros={intros} />}
      </QuerySection>
    </Part>
  )
}

function ChannelIntrosForm({ intros }: { intros: Chosen }) {
  const { introId, outroId, choices } = intros
  const { mutateAsync: save } = useSaveChannelIntros()
  const form = useEndpointForm({
    fields: ['introId', 'outroId'],
    send: (fields) =>
      save({
        introId: textOf(fields, 'introId') || null,
        outroId: textOf(fields, 'outroId') || null,
      }),
  })
  if (choices.length === 0)
    return (
      <p>{t`Publish a video of at most ${introMaxSeconds} seconds to choose it here. It can be unlisted.`}</p>
    )
  const isPlayable = (id: string | null) => choices.find(({ _id }) => _id === id)?.isPlayable ?? true
  const hint = t`Published videos of at most ${introMaxSeconds} seconds. Unlisted ones are not in lists.`
  const unplayable = t`This video is not played at the moment: it is not published, or too long.`
  const options = (
    <>
      <option value="">{t({ message: 'None', context: 'video' })}</option>
      {choices.map(({ _id, title, duration }) => (
        <option key={_id} value={_id}>
          {`${title} (${formatDuration(duration)})`}
        </option>
      ))}
    </>
  )
  return (
    <EndpointForm form={form} submit={t`Apply`} variant="quiet">
      <Select
        label={t`Intro`}
        defaultValue={introId ?? ''}
        hint={isPlayable(introId) ? hint : unplayable}
        {...form.field('introId')}
      >
        {options}
      </Select>
      <Select
        label={t`Outro`}
        defaultValue={outroId ?? ''}
        hint={isPlayable(outroId) ? undefined : unplayable}
        {...form.field('outroId')}
      >
        {options}
      </Select>
    </EndpointForm>
  )
}
