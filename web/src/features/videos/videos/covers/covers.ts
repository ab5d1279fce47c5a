import { lazy } from 'react'
import { withMessages } from '../../../../lib/i18n/messages.ts'

/** Loaded only where there are videos with sensitive content. */
export const CardCover = lazy(async () => ({
  default: (await withMessages('watch', () => import('./card-cover.tsx'))).CardCover,
}))
export const PlayerCover = lazy(async () => ({
  default: (await withMessages('watch', () => import('./player-cover.tsx'))).PlayerCover,
}))
