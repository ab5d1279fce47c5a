import { archiveVersion } from '@kinora/contract/portability/account-archive.ts'

/** Names of version 1 of the archive of an account, and what they are since. */
const formerNames: Record<string, string> = {
  title: 'name',
  fullname: 'name',
  username: 'preferredUsername',
  description: 'summary',
  about: 'summary',
  avatar: 'icon',
  cover: 'image',
  thumbnail: 'image',
  createdAt: 'published',
  updatedAt: 'updated',
  editedAt: 'updated',
  videos: 'orderedItems',
  channelId: 'id',
}

/**
 * A value of an archive of any version with the names of the present one. Version 1 has none of them with another meaning.
 * Undefined for one that is nested too deeply.
 */
export function upgraded(value: unknown): unknown {
  try {
    return renamed(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed)
  if (typeof value !== 'object' || value === null) return value
  const channel = 'channelId' in value ? 'preferredUsername' : 'attributedTo'
  const entries = Object.entries(value).map(([name, content]): [string, unknown] => [
    name === 'channel' ? channel : (formerNames[name] ?? name),
    name === 'version' && content === 1 ? archiveVersion : renamed(content),
  ])
  return Object.fromEntries(entries)
}
