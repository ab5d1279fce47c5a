/** Settings that server and browser both check; `config.ts` of the server uses the same names. */
export interface PublicSettings {
  titleMaxCharacters: number
  descriptionMaxCharacters: number
  commentMaxCharacters: number
  /** Full names and usernames. */
  nameMaxCharacters: number
  passwordMinLength: number
  uploadMaxBytes: number
  pictureMaxBytes: number
  /** Whether the account `test` is shared: nobody changes its password or deletes it. */
  demoAccount: boolean
  /** Quota per account; unlimited when undefined. */
  quotaBytes?: number | undefined
  quotaVideos?: number | undefined
  quotaHours?: number | undefined
}

export const defaultSettings: PublicSettings = {
  titleMaxCharacters: 200,
  descriptionMaxCharacters: 20_000,
  commentMaxCharacters: 10_000,
  nameMaxCharacters: 100,
  passwordMinLength: 8,
  uploadMaxBytes: 20 * 1024 ** 3,
  pictureMaxBytes: 20 * 1024 ** 2,
  demoAccount: true,
  quotaBytes: undefined,
  quotaVideos: undefined,
  quotaHours: undefined,
}

/** The name of the meta tag in the head of every page that carries them as JSON. */
export const settingsMeta = 'kinora-settings'

/** The settings that say how long a text may be. */
export type TextLimit = Extract<keyof PublicSettings, `${string}MaxCharacters`>
export type TextLimits = Pick<PublicSettings, TextLimit>

export const tooLongMessage = (label: string, maxCharacters: number) =>
  `${label} may have at most ${maxCharacters.toLocaleString('en')} characters`

export function tooLargeMessage(maxBytes: number): string {
  const limit =
    maxBytes >= 1024 ** 3
      ? `${Math.floor(maxBytes / 1024 ** 3)} GB`
      : `${Math.floor(maxBytes / 1024 ** 2)} MB`
  return `The file is too large: at most ${limit}`
}
