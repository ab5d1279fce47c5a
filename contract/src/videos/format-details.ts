import type { FileFormat } from './file-formats.ts'

/** Name of a format for users; media types and extensions by which browsers recognize its files. */
export const formatDetails: Record<FileFormat, { name: string; types: string[]; extensions: string[] }> = {
  mp4: { name: 'MP4', types: ['video/mp4'], extensions: ['.mp4'] },
  webm: { name: 'WebM', types: ['video/webm'], extensions: ['.webm'] },
  ogg: { name: 'Ogg', types: ['video/ogg', 'application/ogg'], extensions: ['.ogg', '.ogv'] },
  mov: { name: 'QuickTime (MOV)', types: ['video/quicktime'], extensions: ['.mov', '.qt'] },
  mkv: { name: 'Matroska (MKV)', types: ['video/x-matroska', 'video/matroska'], extensions: ['.mkv'] },
  avi: { name: 'AVI', types: ['video/x-msvideo', 'video/avi', 'video/msvideo'], extensions: ['.avi'] },
  ts: {
    name: 'MPEG-TS',
    types: ['video/mp2t', 'video/vnd.dlna.mpeg-tts'],
    extensions: ['.ts', '.mts', '.m2ts'],
  },
  m4a: { name: 'M4A', types: ['audio/mp4', 'audio/x-m4a', 'audio/m4a'], extensions: ['.m4a', '.m4b'] },
  mp3: { name: 'MP3', types: ['audio/mpeg', 'audio/mp3'], extensions: ['.mp3'] },
}

/** "MP4, WebM or Ogg" */
export function listFormats(
  accepted: readonly FileFormat[],
  type: 'conjunction' | 'disjunction',
  language = 'en',
): string {
  return new Intl.ListFormat(language, { type }).format(accepted.map((format) => formatDetails[format].name))
}
