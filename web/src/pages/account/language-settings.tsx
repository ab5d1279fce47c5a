import { t } from '@lingui/core/macro'
import type { User } from '@kinora/contract/accounts/users.ts'
import { useState } from 'react'
import { loadPreferences, savePreferences } from '../../features/videos/playback/state/preferences.ts'
import { ViewingForm } from '../../features/accounts/users/viewing-form.tsx'
import { LanguageChoice } from '../../layout/language-choice.tsx'
import { CheckGroup } from '../../ui/forms/check-group.tsx'
import { Part } from '../../ui/part.tsx'

/** The language of the interface, which videos lists show, and what the player does in this browser. */
export function LanguageSettings({ user }: { user: User }) {
  return (
    <>
      <Part title={t`Language`} note={t`The pages of this site, and its mails to you.`}>
        <LanguageChoice />
      </Part>
      <Part title={t`Videos in lists`} note={t`For your account, in every browser.`}>
        <ViewingForm user={user} />
      </Part>
      <Part title={t`Playback`} note={t`In this browser.`}>
        <Playback />
      </Part>
    </>
  )
}

const switches = () =>
  [
    { name: 'autoplaysNext', label: t`Play the next video at the end of this one` },
    { name: 'playsInCorner', label: t`Keep playing in a corner` },
    { name: 'showsCaptions', label: t`Show subtitles where there are any` },
    { name: 'savesData', label: t`Data saver` },
  ] as const

/** Choices of the player's menu that outlast a video. A change is saved immediately. */
function Playback() {
  const [preferences, setPreferences] = useState(loadPreferences)
  return (
    <CheckGroup legend={t`For every video`}>
      {switches().map(({ name, label }) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={preferences[name] ?? false}
            onChange={({ currentTarget: { checked } }) => {
              savePreferences({ [name]: checked })
              setPreferences({ ...preferences, [name]: checked })
            }}
          />
          {label}
        </label>
      ))}
    </CheckGroup>
  )
}
