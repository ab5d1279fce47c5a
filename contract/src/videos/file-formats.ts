/** Formats of video files that a site may accept, by the names of `ACCEPTED_CONTAINERS`. */
export const fileFormats = ['mp4', 'webm', 'ogg', 'mov', 'mkv', 'avi', 'ts', 'm4a', 'mp3'] as const
export type FileFormat = (typeof fileFormats)[number]

export const defaultFormats: FileFormat[] = ['mp4', 'webm', 'ogg']

/** Whether these are the formats of a site without settings, which some texts name. */
export const areDefaultFormats = (accepted: readonly FileFormat[]): boolean =>
  accepted.length === defaultFormats.length && defaultFormats.every((format) => accepted.includes(format))
