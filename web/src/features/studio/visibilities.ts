import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Visibility } from '@kinora/contract/videos.ts'

/** Labels and explanations of the visibilities. */
export const visibilities: Record<Visibility, { label: MessageDescriptor; hint: MessageDescriptor }> = {
  public: { label: msg`Public`, hint: msg`Everybody can find and watch it.` },
  unlisted: { label: msg`Unlisted`, hint: msg`Everybody with the link can watch it. No list shows it.` },
  members: { label: msg`Members only`, hint: msg`People who are signed in can find and watch it.` },
  private: { label: msg`Private`, hint: msg`Only you and the people you name can watch it.` },
  scheduled: { label: msg`Scheduled`, hint: msg`Private until the time you choose, then public.` },
}

export const visibilityNames = Object.keys(visibilities) as Visibility[]

/** The visibility of a name; undefined for any other text. */
export const visibilityNamed = (text: string | null) => visibilityNames.find((name) => name === text)
