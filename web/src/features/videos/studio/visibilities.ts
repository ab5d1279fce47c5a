import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Visibility } from '@kinora/contract/videos/videos.ts'
import { visibilityLabels } from '../../../lib/visibility-labels.ts'

/** Labels and explanations of the visibilities. */
export const visibilities: Record<Visibility, { label: MessageDescriptor; hint: MessageDescriptor }> = {
  public: { label: visibilityLabels.public, hint: msg`Everybody can find and watch it.` },
  unlisted: {
    label: visibilityLabels.unlisted,
    hint: msg`Everybody with the link can watch it. No list shows it.`,
  },
  members: { label: visibilityLabels.members, hint: msg`People who are signed in can find and watch it.` },
  private: { label: visibilityLabels.private, hint: msg`Only you and the people you name can watch it.` },
  scheduled: {
    label: visibilityLabels.scheduled,
    hint: msg`Private until the time you choose, then public.`,
  },
}

export const visibilityNames = Object.keys(visibilities) as Visibility[]

/** The visibility of a name; undefined for any other text. */
export const visibilityNamed = (text: string | null) => visibilityNames.find((name) => name === text)
