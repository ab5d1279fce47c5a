import type { Visibility } from '@kinora/contract/videos.ts'

/** Labels and explanations of the visibilities. */
export const visibilities: Record<Visibility, { label: string; hint: string }> = {
  public: { label: 'Public', hint: 'Everybody can find and watch it.' },
  unlisted: { label: 'Unlisted', hint: 'Everybody with the link can watch it. No list shows it.' },
  members: { label: 'Members only', hint: 'People who are signed in can find and watch it.' },
  private: { label: 'Private', hint: 'Only you and the people you name can watch it.' },
  scheduled: { label: 'Scheduled', hint: 'Private until the time you choose, then public.' },
}

export const visibilityNames = Object.keys(visibilities) as Visibility[]

/** The visibility of a name; undefined for any other text. */
export const visibilityNamed = (text: string | null) => visibilityNames.find((name) => name === text)
