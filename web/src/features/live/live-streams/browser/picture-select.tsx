import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Select } from '../../../../ui/forms/select.tsx'
import { type BroadcastSession, pictureSides, usualSide } from './broadcast-session.ts'
import { useBroadcastState } from './use-broadcast.ts'

/** The largest picture, which cannot change during a stream. */
export function PictureSelect({ session }: { session: BroadcastSession }) {
  const [side, setSide] = useState<number>(usualSide)
  const { phase } = useBroadcastState(session)
  return (
    <Select
      label={t`Picture`}
      hint={t`A smaller picture needs less of your connection.`}
      value={side}
      disabled={phase !== 'setup'}
      onChange={({ currentTarget }) => {
        const chosen = Number(currentTarget.value)
        session.recorder.limitSize(chosen)
        setSide(chosen)
      }}
    >
      {pictureSides.map((each) => (
        <option key={each} value={each}>
          {
            {
              1920: t`Up to 1080p, 5 Mbit/s`,
              1280: t`Up to 720p, 2.2 Mbit/s`,
              854: t`Up to 480p, 1 Mbit/s`,
            }[each]
          }
        </option>
      ))}
    </Select>
  )
}
