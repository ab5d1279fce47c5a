import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Visibility } from '@kinora/contract/videos/videos.ts'

/** Short labels of visibilities. */
export const visibilityLabels: Record<Visibility, MessageDescriptor> = {
  public: msg`Public`,
  unlisted: msg`Unlisted`,
  members: msg`Members only`,
  private: msg`Private`,
  scheduled: msg`Scheduled`,
}

/** Labels for a choice without further explanations. */
export const visibilityChoices = {
  public: msg`Public: everybody`,
  unlisted: msg`Unlisted: everybody with the link`,
  members: msg`Members only: people who are signed in`,
  private: msg`Private: only you`,
} satisfies Partial<Record<Visibility, MessageDescriptor>>

/** The people who may see a video now. */
export const visibilityText = (visibility: Visibility): string =>
  i18n._(visibility === 'scheduled' ? visibilityLabels.scheduled : visibilityChoices[visibility])
