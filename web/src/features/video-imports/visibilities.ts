import { msg } from '@lingui/core/macro'

/** Who can watch imported videos, and how forms say it. */
export const visibilities = [
  ['private', msg`Private: only you`],
  ['unlisted', msg`Unlisted: everybody with the link`],
  ['members', msg`Members only: people who are signed in`],
  ['public', msg`Public: everybody`],
] as const

/** The visibility of this name, or the default. */
export const visibilityOf = (name: string) => visibilities.find(([known]) => known === name)?.[0] ?? 'private'
