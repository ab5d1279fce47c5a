import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { Check } from '../../../ui/forms/check.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Part } from '../../../ui/part.tsx'
import { useSaveVideoIntros, videoIntrosQuery } from './api.ts'

/** Switches the intro and the outro of the channel off for an own video. Nothing on channels without them. */
export function IntrosSection({ videoId }: { videoId: string }) {
  const { data } = useQuery(videoIntrosQuery(videoId))
  return (
    data?.channelHasAny && (
      <Part
        title={t`Intro and outro`}
        note={t`Short videos that play before and after this one, chosen in the settings of the channel.`}
        isDivided
      >
        <VideoIntrosForm videoId={videoId} isOn={data.isOn} />
      </Part>
    )
  )
}

function VideoIntrosForm({ videoId, isOn }: { videoId: string; isOn: boolean }) {
  const { mutateAsync: save } = useSaveVideoIntros(videoId)
  const form = useEndpointForm({
    fields: ['isOn'],
    send: (fields) => save(fields.get('isOn') !== null),
  })
  return (
    <EndpointForm form={form} submit={t`Apply`} variant="quiet">
      <Check label={t`Play the intro and the outro with this video`} name="isOn" defaultChecked={isOn} />
    </EndpointForm>
  )
}
